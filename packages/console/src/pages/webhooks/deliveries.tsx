import type { WebhookDelivery } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useList, useRead, useWrite } from '../../api/queries.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Facts, Row, Section } from '../../ui/page.tsx';

/** No event says that an attempt was made. */
const EVERY_MS = 3_000;

/** What was sent to an endpoint, newest first. Each delivery shows its attempts, with request and answer. */
export function Deliveries({ endpointId }: { endpointId: string }) {
  const [shown, setShown] = useState<string | null>(null);
  const deliveries = useList(
    ['webhook_endpoints', endpointId, 'deliveries'],
    (api, page) => api.webhookEndpoints.listDeliveries(endpointId, page),
    { everyMs: EVERY_MS },
  );
  return (
    <>
      <DataList
        label="Deliveries"
        list={deliveries}
        rowId={({ id }) => id}
        columns={[
          { title: 'Event', cell: ({ event_type }) => <code>{event_type}</code>, width: '1.5fr' },
          { title: 'Status', cell: ({ status }) => <Status status={status} />, width: '0.8fr' },
          { title: 'Attempts', cell: ({ attempts }) => attempts.length, width: '0.6fr' },
          { title: 'Last answer', cell: lastAnswer },
          { title: 'Latest attempt', cell: ({ attempts }) => <Moment at={attempts.at(-1)?.at} format="zoned" /> },
          { title: 'Next attempt', cell: ({ next_attempt_at }) => <Moment at={next_attempt_at} format="zoned" /> },
          {
            title: 'Details',
            cell: ({ id }) => (
              <Button small onPress={() => setShown(id)}>
                Attempts
              </Button>
            ),
            align: 'end',
            width: '0.7fr',
          },
        ]}
        empty={
          <EmptyState title="Nothing was sent yet">Send a test, or let something happen: a text, a call.</EmptyState>
        }
      />
      {shown !== null && <Delivery endpointId={endpointId} id={shown} onClose={() => setShown(null)} />}
    </>
  );
}

function lastAnswer({ attempts }: WebhookDelivery): string {
  const last = attempts.at(-1);
  if (last === undefined) return '–';
  return last.response_status === null ? (last.error ?? 'no answer') : `${last.response_status}`;
}

type DeliveryProps = { endpointId: string; id: string; onClose: () => void };

function Delivery({ endpointId, id, onClose }: DeliveryProps) {
  const { data: delivery, error } = useRead(
    ['webhook_endpoints', endpointId, 'delivery', id],
    (api) => api.webhookEndpoints.getDelivery(endpointId, id),
    { everyMs: EVERY_MS },
  );
  const retry = useWrite((api) => api.webhookEndpoints.retryDelivery(endpointId, id), {
    changes: ['webhook_endpoints'],
    done: 'The delivery is tried again.',
  });
  return (
    <Dialog title="Delivery" isOpen onClose={onClose} isWide>
      <ErrorNote error={error ?? retry.error} />
      {delivery !== undefined && (
        <>
          <Row>
            <Status status={delivery.status} />
            <Button isPending={retry.isPending} onPress={() => retry.mutate(undefined)}>
              Try again
            </Button>
          </Row>
          {delivery.request_body !== null && (
            <Section title="Body of the request">
              <Code label="Body of the request" text={pretty(delivery.request_body)} />
            </Section>
          )}
          {delivery.attempts.map((attempt, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: attempts are only added at the end
            <Attempt key={index} title={`Attempt ${index + 1}`} attempt={attempt} />
          ))}
        </>
      )}
    </Dialog>
  );
}

function Attempt({ title, attempt }: { title: string; attempt: WebhookDelivery['attempts'][number] }) {
  return (
    <Section title={title}>
      <Facts
        facts={[
          ['At', <Moment key="at" at={attempt.at} format="zoned" />],
          ['Address', attempt.url],
          ['Answer', attempt.response_status ?? attempt.error],
          ['Took', `${attempt.duration_ms} ms`],
        ]}
      />
      <Code label="Headers of the request" text={lines(attempt.request_headers)} />
      {attempt.response_headers !== null && (
        <Code label="Headers of the answer" text={lines(attempt.response_headers)} />
      )}
      {attempt.response_body !== null && attempt.response_body !== '' && (
        <Code label="Body of the answer" text={attempt.response_body} />
      )}
    </Section>
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
