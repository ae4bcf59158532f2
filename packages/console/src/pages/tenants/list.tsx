import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTenantsFound } from '../../api/tenants-found.ts';
import { useAsked } from '../../app/asked.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { texts } from '../../texts/tenants.ts';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { CreateTenant } from './create-tenant.tsx';

const t = texts.list;

/** All tenants of the account. */
export function TenantsPage() {
  const ledger = useLedger();
  const [isCreating, setCreating] = useState(false);
  const [{ q = '' }, setFilters] = useFilters();
  const tenants = useTenantsFound(q);
  useAsked('new', () => setCreating(true));
  const create = (
    <Button kind="primary" onPress={() => setCreating(true)}>
      <Plus aria-hidden /> {t.newTenant}
    </Button>
  );
  return (
    <Page title={t.tenants} about={t.customersYourPlatform} actions={create}>
      <FilterBar>
        <TextField
          label={t.findATenant}
          placeholder={t.desertPa}
          value={q}
          onChange={(typed) => setFilters({ q: typed === '' ? undefined : typed })}
        />
      </FilterBar>
      <DataList
        label={t.tenants}
        list={tenants}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `tenants/${id}`)}
        columns={[
          { title: t.name, cell: ({ name }) => name, width: '2fr' },
          { title: t.yourReference, cell: ({ external_ref }) => external_ref ?? '–' },
          { title: t.timeZone, cell: ({ timezone }) => timezone },
          { title: t.made, cell: ({ id, created_at }) => <Moment at={created_at} tenantId={id} />, align: 'end' },
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
      title={t.noTenantsYet}
      curl={<Curl method="POST" path="/v1/tenants" body={{ name: t.desertPawsClinic }} />}
    >
      {t.tenantCustomerYour}
    </EmptyState>
  );
}

function NoMatch({ typed }: { typed: string }) {
  return <EmptyState title={t.noTenantFound(typed)}>{t.searchedWereStarts}</EmptyState>;
}
