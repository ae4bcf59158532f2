import type { WebhookEndpoint } from '@dialplane/sdk/resources';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useList, useWrite } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
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
import { Failing, isFailing } from './failing.tsx';
import { Secret } from './secret.tsx';

/** The endpoints that get events. */
export function WebhooksPage() {
  const ledger = useLedger();
  const [isCreating, setCreating] = useState(false);
  const endpoints = useList(['webhook_endpoints'], (api, page) => api.webhookEndpoints.list(page));
  const [{ status }, setFilters] = useFilters();
  // An account has few endpoints: all are on the first page.
  const rows = endpoints.rows.filter((endpoint) => status === undefined || stateOf(endpoint) === status);
  const create = (
    <Button kind="primary" onPress={() => setCreating(true)}>
      <Plus aria-hidden /> New endpoint
    </Button>
  );
  return (
    <Page title="Webhooks" about="Servers that get every event, signed and in order." actions={create}>
      <FilterBar>
        <Select
          label="Status"
          options={[{ id: ANY, text: 'Any' }, ...STATES.map((id) => ({ id, text: words(id) }))]}
          value={status ?? ANY}
          onChange={(id) => setFilters({ status: id === ANY ? undefined : id })}
        />
      </FilterBar>
      <DataList
        label="Endpoints"
        list={{ ...endpoints, rows }}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `webhooks/${id}`)}
        columns={[
          { title: 'Address', cell: ({ url }) => url, width: '3fr' },
          { title: 'Events', cell: ({ enabled_events }) => enabled_events?.join(', ') ?? 'all', width: '1.5fr' },
          { title: 'Tenant', cell: ({ tenant_id }) => <TenantLimit id={tenant_id} />, width: '1fr' },
          { title: 'Status', cell: statusOf, width: '0.7fr' },
          {
            title: 'Health',
            cell: (row) => (isFailing(row) ? <Failing endpoint={row} /> : 'accepts'),
            width: '2fr',
            wraps: true,
          },
          { title: 'Made', cell: ({ created_at }) => <Moment at={created_at} />, align: 'end' },
        ]}
        empty={
          status !== undefined && endpoints.rows.length > 0 ? (
            <EmptyState title="No endpoint has this status">Choose another one.</EmptyState>
          ) : (
            <EmptyState
              title="No endpoints yet"
              curl={
                <Curl method="POST" path="/v1/webhook_endpoints" body={{ url: 'https://your-server.example/hooks' }} />
              }
            >
              An endpoint is an address of your server. In test mode it may be on this machine, such as
              http://localhost:9000/hooks.
            </EmptyState>
          )
        }
      />
      {isCreating && <CreateEndpoint onClose={() => setCreating(false)} />}
    </Page>
  );
}

const ANY = 'any';
const STATES = ['active', 'failing', 'disabled'] as const;

/** An endpoint that is active and fails is `failing`. */
function stateOf(endpoint: WebhookEndpoint): (typeof STATES)[number] {
  return endpoint.status === 'active' && isFailing(endpoint) ? 'failing' : endpoint.status;
}

function statusOf(endpoint: WebhookEndpoint) {
  return <Status status={stateOf(endpoint)} />;
}

/** The endpoint gets only events of this tenant. */
export function TenantLimit({ id }: { id: string | null }) {
  return id === null ? <span>all tenants</span> : <TenantName id={id} />;
}

function CreateEndpoint({ onClose }: { onClose: () => void }) {
  const create = useWrite((api, endpoint: EndpointChoice) => api.webhookEndpoints.create(endpoint), {
    changes: ['webhook_endpoints'],
  });
  return (
    <Dialog title="New endpoint" isOpen onClose={onClose} isShownOnce={create.isPending || create.isSuccess}>
      {create.data === undefined ? (
        <EndpointForm
          submit="Make the endpoint"
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
