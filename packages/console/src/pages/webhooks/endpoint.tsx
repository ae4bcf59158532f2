import type { TestWebhookEndpointReply, WebhookEndpoint } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { ledgerPath, useLedger, usePageId } from '../../app/ledger.ts';
import { Status, words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Card, Facts, Page, Row, Section } from '../../ui/page.tsx';
import { Deliveries } from './deliveries.tsx';
import { EditEndpoint } from './edit-endpoint.tsx';
import { Failing, isFailing } from './failing.tsx';
import { TenantLimit } from './list.tsx';
import { Replays } from './replays.tsx';
import { RetryAll } from './retry-all.tsx';
import { RotateSecret } from './rotate-secret.tsx';

/** One endpoint: its deliveries with every attempt, replays, and its secret. */
export function WebhookPage() {
  const id = usePageId();
  const { data: endpoint, error } = useRead(['webhook_endpoints', id], (api) => api.webhookEndpoints.get(id));
  if (error !== null) {
    return (
      <Page title="Endpoint">
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (endpoint === undefined) return <Loading />;
  return (
    <Page
      title={endpoint.url}
      about={<Status status={endpoint.status} />}
      actions={<EndpointActions endpoint={endpoint} />}
    >
      <Card label="Endpoint">
        <Facts
          facts={[
            ['Events', endpoint.enabled_events?.join(', ') ?? 'all'],
            ['Tenant', <TenantLimit key="tenant" id={endpoint.tenant_id} />],
            ['Description', endpoint.description],
            ...offBecause(endpoint),
            ...(isFailing(endpoint) ? [['Fails', <Failing key="fails" endpoint={endpoint} />] as const] : []),
            ['Version of events', endpoint.event_version],
            ['Made', <Moment key="made" at={endpoint.created_at} format="zoned" />],
            ['Id', <code key="id">{endpoint.id}</code>],
          ]}
        />
      </Card>
      <Section title="Deliveries">
        <RetryAll endpointId={endpoint.id} isActive={endpoint.status === 'active'} />
        <Deliveries endpointId={endpoint.id} isActive={endpoint.status === 'active'} />
      </Section>
      <Replays endpointId={endpoint.id} />
    </Page>
  );
}

/** Why an endpoint that is turned off is off; nothing for others. */
function offBecause({ disabled_reason: reason }: WebhookEndpoint): (readonly [string, string])[] {
  return reason === null ? [] : [['Off because', words(reason)]];
}

function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, status } = endpoint;
  const ledger = useLedger();
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const changes = ['webhook_endpoints'];
  const next = status === 'active' ? 'disabled' : 'active';
  const turn = useWrite((api) => api.webhookEndpoints.update(id, { status: next }), { changes });
  const test = useWrite((api) => api.webhookEndpoints.test(id), { changes, done: resultOf });
  const remove = useWrite((api) => api.webhookEndpoints.delete(id), {
    changes,
    done: 'The endpoint is deleted.',
    onDone: () => navigate({ to: ledgerPath(ledger, 'webhooks') }),
  });
  return (
    <Row>
      <Button isPending={test.isPending} onPress={() => test.mutate(undefined)}>
        Send a test
      </Button>
      <EditEndpoint endpoint={endpoint} />
      <Button isPending={turn.isPending} onPress={() => turn.mutate(undefined)}>
        {next === 'disabled' ? 'Turn off' : 'Turn on'}
      </Button>
      <RotateSecret endpointId={id} />
      <Button kind="danger" onPress={() => setDeleting(true)}>
        Delete
      </Button>
      <ErrorNote error={test.error ?? turn.error} />
      <Confirm
        title="Delete the endpoint"
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        confirm="Delete"
        onConfirm={() => remove.mutate(undefined)}
        isPending={remove.isPending}
        error={remove.error}
      >
        It gets no events any more, and what waits for it is dropped. This cannot be undone.
      </Confirm>
    </Row>
  );
}

/** Returns the result of a test event in words. */
function resultOf({ delivered, response_status, error }: TestWebhookEndpointReply): string {
  const answer = response_status === null ? (error ?? 'it did not answer') : `it answered ${response_status}`;
  return delivered ? `The endpoint answered ${response_status}.` : `The endpoint did not accept the test: ${answer}.`;
}
