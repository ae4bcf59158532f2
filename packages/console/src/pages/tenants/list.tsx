import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { CreateTenant } from './create-tenant.tsx';

/** All tenants of the account. */
export function TenantsPage() {
  const ledger = useLedger();
  const [isCreating, setCreating] = useState(false);
  const tenants = useList(['tenants'], (api, page) => api.tenants.list(page));
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
        empty={
          <EmptyState
            title="No tenants yet"
            action={create}
            curl={<Curl method="POST" path="/v1/tenants" body={{ name: 'Desert Paws Clinic' }} />}
          >
            A tenant is a customer of your platform: a clinic, a garage, a property manager. Make one here or by the
            API.
          </EmptyState>
        }
      />
      <CreateTenant isOpen={isCreating} onClose={() => setCreating(false)} />
    </Page>
  );
}
