import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { texts } from '../../texts/web-clients.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { CreateWebClient } from './create-web-client.tsx';

const t = texts.list;

/** The phones in browsers. */
export function WebClientsPage() {
  const ledger = useLedger();
  const [isCreating, setCreating] = useState(false);
  const [{ tenant_id }] = useFilters();
  const clients = useList(['web_clients', 'list', tenant_id], (api, page) =>
    api.webClients.list({ ...page, tenant_id }),
  );
  const create = (
    <Button kind="primary" onPress={() => setCreating(true)}>
      <Plus aria-hidden /> {t.newWebClient}
    </Button>
  );
  return (
    <Page title={t.webClients} about={t.phonesBrowserOne} actions={create}>
      <TenantFilterBar />
      <DataList
        label={t.webClients}
        list={clients}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `web-clients/${id}`)}
        columns={[
          { title: t.name, cell: ({ name }) => name ?? t.withoutName, width: '1.3fr' },
          { title: t.id, cell: ({ id }) => <code>{id}</code>, width: '1.8fr' },
          { title: t.tenant, cell: (client) => <TenantName id={client.tenant_id} />, width: '1.2fr' },
          { title: t.status, cell: ({ status }) => <Status status={status} />, width: '0.7fr' },
          {
            title: t.made,
            cell: (client) => <Moment at={client.created_at} tenantId={client.tenant_id} />,
            align: 'end',
            width: '0.8fr',
          },
        ]}
        empty={
          <EmptyState
            title={tenant_id === undefined ? t.noWebClients : t.tenantNoWeb}
            curl={
              <Curl
                method="POST"
                path="/v1/web_clients"
                body={{ tenant_id: tenant_id ?? 'tnt_…', name: t.frontDesk }}
              />
            }
          >
            {t.personAnswersCalls}
          </EmptyState>
        }
      />
      {isCreating && <CreateWebClient tenantId={tenant_id} onClose={() => setCreating(false)} />}
    </Page>
  );
}
