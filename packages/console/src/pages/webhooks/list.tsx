import type { WebhookEndpoint } from '@dialplane/sdk/resources';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useList, useWrite } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilter } from '../../app/tenant-filter.tsx';
import { texts } from '../../texts/webhooks.ts';
import { Status, words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { type EndpointChoice, EndpointForm } from './endpoint-form.tsx';
import { type EndpointState, Failing, isFailing, stateOf } from './failing.tsx';
import { Secret } from './secret.tsx';

const t = texts.list;

/** The endpoints that get events. */
export function WebhooksPage() {
  const ledger = useLedger();
  const [isCreating, setCreating] = useState(false);
  const endpoints = useList(['webhook_endpoints'], (api, page) => api.webhookEndpoints.list(page));
  const [{ status, tenant_id }, setFilters] = useFilters();
  // An account has few endpoints, so all are on the first page.
  const rows = endpoints.rows.filter((endpoint) => isShown(endpoint, { status, tenantId: tenant_id }));
  const create = (
    <Button kind="primary" onPress={() => setCreating(true)}>
      <Plus aria-hidden /> {t.newEndpoint}
    </Button>
  );
  return (
    <Page title={t.webhooks} about={t.serversGetEvery} actions={create}>
      <FilterBar>
        <TenantFilter />
        <Select
          label={t.status}
          options={[{ id: ANY, text: t.any }, ...STATES.map((id) => ({ id, text: words(id) }))]}
          value={status ?? ANY}
          onChange={(id) => setFilters({ status: id === ANY ? undefined : id })}
        />
      </FilterBar>
      <DataList
        label={t.endpoints}
        list={rows.length === endpoints.rows.length ? endpoints : { ...endpoints, rows, whole: undefined }}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `webhooks/${id}`)}
        columns={[
          { title: t.address, cell: ({ url }) => url, width: '3fr' },
          { title: t.events, cell: ({ enabled_events }) => enabled_events?.join(', ') ?? t.all, width: '1.5fr' },
          { title: t.tenant, cell: ({ tenant_id }) => <TenantLimit id={tenant_id} />, width: '1fr' },
          { title: t.status, cell: (row) => <Status status={stateOf(row)} />, width: '0.7fr' },
          {
            title: t.health,
            cell: (row) => (isFailing(row) ? <Failing endpoint={row} /> : t.accepts),
            width: '2fr',
            wraps: true,
          },
          { title: t.made, cell: ({ created_at }) => <Moment at={created_at} />, align: 'end' },
        ]}
        empty={
          endpoints.rows.length > 0 ? (
            <EmptyState title={tenant_id === undefined ? t.noEndpointStatus : t.noEndpointLike}>
              {t.chooseAnotherOne}
            </EmptyState>
          ) : (
            <EmptyState
              title={t.noEndpointsYet}
              curl={
                <Curl method="POST" path="/v1/webhook_endpoints" body={{ url: 'https://your-server.example/hooks' }} />
              }
            >
              {t.endpointAddressYour}
            </EmptyState>
          )
        }
      />
      {isCreating && <CreateEndpoint onClose={() => setCreating(false)} />}
    </Page>
  );
}

const ANY = 'any';
const STATES: readonly EndpointState[] = ['active', 'failing', 'disabled'];

type Wanted = { readonly status: string | undefined; readonly tenantId: string | undefined };

/** An endpoint for all tenants gets the events of each tenant. So it is shown with the endpoints of any one tenant. */
function isShown(endpoint: WebhookEndpoint, { status, tenantId }: Wanted): boolean {
  const isOfTenant = tenantId === undefined || endpoint.tenant_id === null || endpoint.tenant_id === tenantId;
  return isOfTenant && (status === undefined || stateOf(endpoint) === status);
}

/** Shows that the endpoint gets only events of this tenant. */
export function TenantLimit({ id }: { id: string | null }) {
  return id === null ? <span>{t.allTenants}</span> : <TenantName id={id} />;
}

function CreateEndpoint({ onClose }: { onClose: () => void }) {
  const create = useWrite((api, endpoint: EndpointChoice) => api.webhookEndpoints.create(endpoint), {
    changes: ['webhook_endpoints'],
  });
  return (
    <Dialog title={t.newEndpoint} isOpen onClose={onClose} isShownOnce={create.isPending || create.isSuccess}>
      {create.data === undefined ? (
        <EndpointForm
          submit={t.makeTheEndpoint}
          error={create.error}
          isPending={create.isPending}
          onCancel={onClose}
          onSubmit={create.mutate}
        />
      ) : (
        <Secret secret={create.data.secret} onClose={onClose} />
      )}
    </Dialog>
  );
}
