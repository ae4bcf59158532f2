import type { TestWebhookEndpointReply, WebhookEndpoint } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { ledgerPath, useLedger, usePageId } from '../../app/ledger.ts';
import { Status, words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Card, Facts, Page, Row, Section } from '../../ui/page.tsx';
import { Deliveries } from './deliveries.tsx';
import { Replays } from './replays.tsx';
import { Secret } from './secret.tsx';

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
            ['Description', endpoint.description],
            ...offBecause(endpoint),
            ['Version of events', endpoint.event_version],
            ['Made', <Moment key="made" at={endpoint.created_at} format="long" />],
            ['Id', <code key="id">{endpoint.id}</code>],
          ]}
        />
      </Card>
      <Section title="Deliveries">
        <Deliveries endpointId={endpoint.id} />
      </Section>
      <Replays endpointId={endpoint.id} />
    </Page>
  );
}

/** Why an endpoint that is turned off is off; nothing for others. */
function offBecause({ disabled_reason: reason }: WebhookEndpoint): (readonly [string, string])[] {
  return reason === null ? [] : [['Off because', words(reason)]];
}

function EndpointActions({ endpoint: { id, status } }: { endpoint: WebhookEndpoint }) {
  const ledger = useLedger();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'delete' | 'rotate' | null>(null);
  const changes = ['webhook_endpoints'];
  const next = status === 'active' ? 'disabled' : 'active';
  const turn = useWrite((api) => api.webhookEndpoints.update(id, { status: next }), { changes });
  const test = useWrite((api) => api.webhookEndpoints.test(id), { changes, done: resultOf });
  const rotate = useWrite((api) => api.webhookEndpoints.rotateSecret(id), { changes });
  const close = () => {
    setAsked(null);
    // However the window is closed: a secret that was shown is not shown again.
    rotate.reset();
  };
  const remove = useWrite((api) => api.webhookEndpoints.delete(id), {
    changes,
    done: 'The endpoint is deleted.',
    onDone: () => void navigate({ to: ledgerPath(ledger, 'webhooks') }),
  });
  return (
    <Row>
      <Button isPending={test.isPending} onPress={() => test.mutate(undefined)}>
        Send a test
      </Button>
      <Button isPending={turn.isPending} onPress={() => turn.mutate(undefined)}>
        {next === 'disabled' ? 'Turn off' : 'Turn on'}
      </Button>
      <Button onPress={() => setAsked('rotate')}>Rotate the secret</Button>
      <Button kind="danger" onPress={() => setAsked('delete')}>
        Delete
      </Button>
      <ErrorNote error={test.error ?? turn.error} />
      {rotate.data === undefined ? (
        <Confirm
          title="Rotate the secret"
          isOpen={asked === 'rotate'}
          onClose={close}
          confirm="Rotate"
          onConfirm={() => rotate.mutate(undefined)}
          isPending={rotate.isPending}
          error={rotate.error}
        >
          Events are signed with both secrets for a day, so that your server can change without a gap.
        </Confirm>
      ) : (
        <Dialog title="The new secret" isOpen={asked === 'rotate'} onClose={close}>
          <Secret secret={rotate.data.secret} onClose={close} />
        </Dialog>
      )}
      <Confirm
        title="Delete the endpoint"
        isOpen={asked === 'delete'}
        onClose={close}
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

/** Says what became of a test event. */
function resultOf({ delivered, response_status, error }: TestWebhookEndpointReply): string {
  const answer = response_status === null ? (error ?? 'it did not answer') : `it answered ${response_status}`;
  return delivered ? `The endpoint answered ${response_status}.` : `The endpoint did not accept the test: ${answer}.`;
}
