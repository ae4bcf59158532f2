import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTenantsFound } from '../../api/tenants-found.ts';
import { useAsked } from '../../app/asked.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { CreateTenant } from './create-tenant.tsx';

/** All tenants of the account. */
export function TenantsPage() {
  const ledger = useLedger();
  const [isCreating, setCreating] = useState(false);
  const [{ q = '' }, setFilters] = useFilters();
  const tenants = useTenantsFound(q);
  useAsked('new', () => setCreating(true));
  const create = (
    <Button kind="primary" onPress={() => setCreating(true)}>
      <Plus aria-hidden /> New tenant
    </Button>
  );
  return (
    <Page
      title="Tenants"
      about="The customers of your platform. Each has numbers, texts and calls of its own."
      actions={create}
    >
      <FilterBar>
        <TextField
          label="Find a tenant"
          placeholder="desert pa"
          value={q}
          onChange={(typed) => setFilters({ q: typed === '' ? undefined : typed })}
        />
      </FilterBar>
      <DataList
        label="Tenants"
        list={tenants}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `tenants/${id}`)}
        columns={[
          { title: 'Name', cell: ({ name }) => name, width: '2fr' },
          { title: 'Your reference', cell: ({ external_ref }) => external_ref ?? '–' },
          { title: 'Time zone', cell: ({ timezone }) => timezone },
          { title: 'Made', cell: ({ id, created_at }) => <Moment at={created_at} tenantId={id} />, align: 'end' },
        ]}
        empty={q.trim() === '' ? <NoTenants /> : <NoMatch typed={q.trim()} />}
      />
      <CreateTenant isOpen={isCreating} onClose={() => setCreating(false)} />
    </Page>
  );
}

function NoTenants() {
  return (
    <EmptyState
      title="No tenants yet"
      curl={<Curl method="POST" path="/v1/tenants" body={{ name: 'Desert Paws Clinic' }} />}
    >
      A tenant is a customer of your platform: a clinic, a garage, a property manager. Make one here or by the API.
    </EmptyState>
  );
}

function NoMatch({ typed }: { typed: string }) {
  return (
    <EmptyState title={`No tenant is found for “${typed}”`}>
      Searched were the starts of the words of names, and whole references.
    </EmptyState>
  );
}
