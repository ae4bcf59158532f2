import type { WebhookDelivery } from '@dialplane/sdk/resources';
import { Link, useParams } from '@tanstack/react-router';
import { useRead, useWrite } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { ResourceLink } from '../../app/resource-link.tsx';
import { texts } from '../../texts/webhooks.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Card, Facts, Page, Section } from '../../ui/page.tsx';
import { EVERY_MS, useDeliveries, waitsIn } from './deliveries.tsx';
import css from './delivery.module.css';

const t = texts.deliveries;

/** One delivery: its attempts, the newest first, with request and answer. Its address is a permanent link. */
export function DeliveryPage() {
  const { id: endpointId, deliveryId } = useParams({ strict: false }) as { id: string; deliveryId: string };
  const { data: delivery, error } = useRead(
    ['webhook_endpoints', endpointId, 'delivery', deliveryId],
    (api) => api.webhookEndpoints.getDelivery(endpointId, deliveryId),
    { everyMs: EVERY_MS },
  );
  const retry = useWrite((api) => api.webhookEndpoints.retryDelivery(endpointId, deliveryId), {
    changes: ['webhook_endpoints'],
    done: t.deliveryTriedAgain,
  });
  if (delivery === undefined) {
    if (error === null) return <Loading />;
    return (
      <Page title={t.delivery}>
        <ErrorNote error={error} />
      </Page>
    );
  }
  const attempts = delivery.attempts.map((attempt, index) => ({ attempt, title: t.attempt(index + 1) })).reverse();
  return (
    <Page
      title={t.deliveryOf(delivery.event_type)}
      about={<Status status={delivery.status} />}
      actions={
        <Button isPending={retry.isPending} onPress={() => retry.mutate(undefined)}>
          {t.tryAgain}
        </Button>
      }
    >
      <ErrorNote error={error ?? retry.error} />
      <Waiting endpointId={endpointId} delivery={delivery} />
      <Card label={t.delivery}>
        <DeliveryFacts endpointId={endpointId} delivery={delivery} />
      </Card>
      {attempts.map(({ attempt, title }) => (
        <Attempt key={title} title={title} attempt={attempt} />
      ))}
      {delivery.request_body !== null && <RequestBody text={pretty(delivery.request_body)} />}
    </Page>
  );
}

type DeliveryProps = { endpointId: string; delivery: WebhookDelivery };

/** Shows that an earlier delivery is sent first. Searches only the first page for earlier ones. */
function Waiting({ endpointId, delivery }: DeliveryProps) {
  const deliveries = useDeliveries(endpointId);
  const { data: endpoint } = useRead(['webhook_endpoints', endpointId], (api) => api.webhookEndpoints.get(endpointId));
  const listed = deliveries.rows.find(({ id }) => id === delivery.id);
  if (endpoint?.status !== 'active' || listed === undefined || !waitsIn(deliveries, listed)) return null;
  return <p>{t.waitsOneBeforeEvents}</p>;
}

/** The endpoint, the delivered event, its resource, and the next attempt. */
function DeliveryFacts({ endpointId, delivery: { event_id, next_attempt_at } }: DeliveryProps) {
  const ledger = useLedger();
  const { data: endpoint } = useRead(['webhook_endpoints', endpointId], (api) => api.webhookEndpoints.get(endpointId));
  const { data: event } = useRead(['events', event_id], (api) => api.events.get(event_id));
  return (
    <Facts
      facts={[
        [
          t.endpoint,
          <Link key="endpoint" to={ledgerPath(ledger, `webhooks/${endpointId}`)}>
            {endpoint?.url ?? endpointId}
          </Link>,
        ],
        [
          t.event,
          <Link key="event" to={ledgerPath(ledger, `events/${event_id}`)}>
            <code>{event_id}</code>
          </Link>,
        ],
        [
          t.resource,
          event === undefined ? <code key="resource">…</code> : <ResourceLink key="resource" id={event.resource_id} />,
        ],
        [
          t.nextAttempt,
          next_attempt_at === null ? undefined : <Moment key="next" at={next_attempt_at} format="zoned" />,
        ],
      ]}
    />
  );
}

/** A body with more lines is folded. */
const OPEN_LINES = 12;

function RequestBody({ text }: { text: string }) {
  return (
    <details open={text.split('\n').length <= OPEN_LINES}>
      <summary>{t.bodyRequest}</summary>
      <Code label={t.bodyRequest} text={text} />
    </details>
  );
}

function Attempt({ title, attempt }: { title: string; attempt: WebhookDelivery['attempts'][number] }) {
  return (
    <Section title={title}>
      <Facts
        facts={[
          [t.at, <Moment key="at" at={attempt.at} format="zoned" />],
          [t.address, attempt.url],
          [t.answer, attempt.response_status ?? attempt.error],
          [t.took, t.ms(attempt.duration_ms)],
        ]}
      />
      <Sent title={t.headersRequest} text={lines(attempt.request_headers)} />
      <Sent title={t.headersAnswer} text={lines(attempt.response_headers ?? {})} />
      <Sent title={t.bodyAnswer} text={attempt.response_body ?? ''} />
    </Section>
  );
}

/** A part of an attempt under its heading. Shows nothing if the part is empty. */
function Sent({ title, text }: { title: string; text: string }) {
  if (text === '') return null;
  return (
    <div className={css.sent}>
      <h3>{title}</h3>
      <Code label={title} text={text} />
    </div>
  );
}

function lines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch (error) {
    if (error instanceof SyntaxError) return body;
    throw error;
  }
}
