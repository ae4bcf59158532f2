import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/queries.ts';
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
  const [{ external_ref }, setFilters] = useFilters();
  const tenants = useList(['tenants', 'list', external_ref], (api, page) =>
    api.tenants.list({ ...page, external_ref }),
  );
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
          label="Your reference"
          placeholder="customer-4711"
          value={external_ref ?? ''}
          onChange={(typed) => setFilters({ external_ref: typed === '' ? undefined : typed })}
        />
      </FilterBar>
      <DataList
        label="Tenants"
        list={tenants}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `tenants/${id}`)}
        columns={[
          { title: 'Name', cell: ({ name }) => name, width: '2fr' },
          { title: 'Your reference', cell: ({ external_ref: own }) => own ?? '–' },
          { title: 'Time zone', cell: ({ timezone }) => timezone },
          { title: 'Made', cell: ({ id, created_at }) => <Moment at={created_at} tenantId={id} />, align: 'end' },
        ]}
        empty={external_ref === undefined ? <NoTenants action={create} /> : <NoMatch />}
      />
      <CreateTenant isOpen={isCreating} onClose={() => setCreating(false)} />
    </Page>
  );
}

function NoTenants({ action }: { action: React.ReactNode }) {
  return (
    <EmptyState
      title="No tenants yet"
      action={action}
      curl={<Curl method="POST" path="/v1/tenants" body={{ name: 'Desert Paws Clinic' }} />}
    >
      A tenant is a customer of your platform: a clinic, a garage, a property manager. Make one here or by the API.
    </EmptyState>
  );
}

function NoMatch() {
  return (
    <EmptyState title="No tenant has this reference">
      References are compared as a whole. By its name, a tenant is found in the field “Tenant” of other pages.
    </EmptyState>
  );
}
