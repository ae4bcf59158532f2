import type { TestWebhookEndpointReply, WebhookEndpoint } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { ledgerPath, useLedger, usePageId } from '../../app/ledger.ts';
import { texts } from '../../texts/webhooks.ts';
import { Status, words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Card, Facts, Page, Row, Section } from '../../ui/page.tsx';
import { Deliveries } from './deliveries.tsx';
import { EditEndpoint } from './edit-endpoint.tsx';
import { Failing, isFailing, stateOf } from './failing.tsx';
import { TenantLimit } from './list.tsx';
import { Replays } from './replays.tsx';
import { RetryAll } from './retry-all.tsx';
import { RotateSecret } from './rotate-secret.tsx';

const t = texts.endpoint;

/** One endpoint: its deliveries with every attempt, replays, and its secret. */
export function WebhookPage() {
  const id = usePageId();
  const { data: endpoint, error } = useRead(['webhook_endpoints', id], (api) => api.webhookEndpoints.get(id));
  if (error !== null) {
    return (
      <Page title={t.endpoint}>
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (endpoint === undefined) return <Loading />;
  return (
    <Page
      title={endpoint.url}
      about={<Status status={stateOf(endpoint)} />}
      actions={<EndpointActions endpoint={endpoint} />}
    >
      <Card label={t.endpoint}>
        <Facts
          facts={[
            [t.events, endpoint.enabled_events?.join(', ') ?? t.all],
            [t.tenant, <TenantLimit key="tenant" id={endpoint.tenant_id} />],
            [t.description, endpoint.description],
            ...offBecause(endpoint),
            ...(isFailing(endpoint) ? [[t.fails, <Failing key="fails" endpoint={endpoint} />] as const] : []),
            [t.versionOfEvents, endpoint.event_version],
            [t.made, <Moment key="made" at={endpoint.created_at} format="zoned" />],
            [t.id, <code key="id">{endpoint.id}</code>],
          ]}
        />
      </Card>
      <Section title={t.deliveries}>
        <RetryAll endpointId={endpoint.id} isActive={endpoint.status === 'active'} />
        <Deliveries endpointId={endpoint.id} isActive={endpoint.status === 'active'} />
      </Section>
      <Replays endpointId={endpoint.id} />
    </Page>
  );
}

/** The reason why an endpoint is turned off. Shows nothing for endpoints that are on. */
function offBecause({ disabled_reason: reason }: WebhookEndpoint): (readonly [string, string])[] {
  return reason === null ? [] : [[t.offBecause, words(reason)]];
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
    done: t.endpointDeleted,
    onDone: () => navigate({ to: ledgerPath(ledger, 'webhooks') }),
  });
  return (
    <Row>
      <Button isPending={test.isPending} onPress={() => test.mutate(undefined)}>
        {t.sendATest}
      </Button>
      <EditEndpoint endpoint={endpoint} />
      <Button isPending={turn.isPending} onPress={() => turn.mutate(undefined)}>
        {next === 'disabled' ? t.turnOff : t.turnOn}
      </Button>
      <RotateSecret endpointId={id} />
      <Button kind="danger" onPress={() => setDeleting(true)}>
        {t.delete}
      </Button>
      <ErrorNote error={test.error ?? turn.error} />
      <Confirm
        title={t.deleteTheEndpoint}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        confirm={t.delete}
        onConfirm={() => remove.mutate(undefined)}
        isPending={remove.isPending}
        error={remove.error}
      >
        {t.getsNoEvents}
      </Confirm>
    </Row>
  );
}

/** Returns the result of a test event in words. */
function resultOf({ delivered, response_status, error }: TestWebhookEndpointReply): string {
  const answer = response_status === null ? (error ?? t.didNotAnswer) : t.itAnswered(response_status);
  return delivered ? t.theEndpointAnswered(response_status) : t.endpointDidNot(answer);
}
