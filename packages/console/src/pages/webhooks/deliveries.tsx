import type { WebhookDelivery } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type List, useList, useRead, useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { ResourceLink } from '../../app/resource-link.tsx';
import { texts } from '../../texts/webhooks.ts';
import { Status, words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Select } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Facts, Row, Section } from '../../ui/page.tsx';
import { answerOf } from './failing.tsx';

const t = texts.deliveries;

/** The list is polled, because an attempt has no event. */
const EVERY_MS = 3_000;
const ANY = 'any';
const STATUSES = ['pending', 'delivered', 'failed', 'given_up'] as const;

type DeliveriesProps = { endpointId: string; isActive: boolean };

/** The deliveries to an endpoint, newest first. Each delivery shows its attempts, with request and answer. */
export function Deliveries({ endpointId, isActive }: DeliveriesProps) {
  const [shown, setShown] = useState<string | null>(null);
  const [status, setStatus] = useState<WebhookDelivery['status']>();
  const deliveries = useList(
    ['webhook_endpoints', endpointId, 'deliveries', status],
    (api, page) => api.webhookEndpoints.listDeliveries(endpointId, { ...page, status }),
    { everyMs: EVERY_MS },
  );
  // Among deliveries of one status the earlier ones are not seen.
  const waits = (delivery: WebhookDelivery) => isActive && status === undefined && waitsIn(deliveries, delivery);
  const opened = deliveries.rows.find(({ id }) => id === shown);
  return (
    <>
      <FilterBar>
        <Select
          label={t.statusOfDeliveries}
          options={[{ id: ANY, text: t.any }, ...STATUSES.map((id) => ({ id, text: words(id) }))]}
          value={status ?? ANY}
          onChange={(id) => setStatus(STATUSES.find((each) => each === id))}
        />
      </FilterBar>
      <DataList
        label={t.deliveries}
        list={deliveries}
        rowId={({ id }) => id}
        columns={[
          { title: t.event, cell: ({ event_type }) => <code>{event_type}</code>, width: '1.5fr' },
          { title: t.status, cell: ({ status }) => <Status status={status} />, width: '0.8fr' },
          { title: t.attempts, cell: ({ attempts }) => attempts.length, width: '0.7fr' },
          { title: t.lastAnswer, cell: lastAnswer },
          {
            title: t.latestAttempt,
            cell: ({ attempts }) => <Moment at={attempts.at(-1)?.at} format="zoned" />,
            width: '1.2fr',
            wraps: true,
          },
          {
            title: t.nextAttempt,
            cell: (delivery) =>
              waits(delivery) ? t.waitsOneBefore : <Moment at={delivery.next_attempt_at} format="zoned" />,
            width: '1.2fr',
            wraps: true,
          },
          {
            title: t.details,
            cell: ({ id }) => (
              <Button small onPress={() => setShown(id)}>
                {t.attempts}
              </Button>
            ),
            align: 'end',
            width: '6rem',
          },
        ]}
        empty={
          status === undefined ? (
            <EmptyState title={t.nothingWasSent}>{t.sendTestLet}</EmptyState>
          ) : (
            <EmptyState title={t.noDeliveryStatus}>{t.chooseAnotherOne}</EmptyState>
          )
        }
      />
      {shown !== null && (
        <Delivery
          endpointId={endpointId}
          id={shown}
          isWaiting={opened !== undefined && waits(opened)}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}

/**
 * Tells whether a delivery waits for an earlier one of the list. A delivery without an attempt is about to be sent,
 * unless an earlier one is unfinished.
 */
function waitsIn({ rows, hasMore }: Pick<List<WebhookDelivery>, 'rows' | 'hasMore'>, delivery: WebhookDelivery) {
  const { status, attempts, next_attempt_at } = delivery;
  if (status !== 'pending' || attempts.length > 0 || next_attempt_at !== null) return false;
  const earlier = rows.slice(rows.indexOf(delivery) + 1);
  return hasMore || earlier.some((each) => each.status === 'failed' || each.status === 'pending');
}

function lastAnswer({ attempts }: WebhookDelivery): string {
  const last = attempts.at(-1);
  if (last === undefined) return '–';
  return answerOf(last);
}

type DeliveryProps = { endpointId: string; id: string; isWaiting: boolean; onClose: () => void };

function Delivery({ endpointId, id, isWaiting, onClose }: DeliveryProps) {
  const { data: delivery, error } = useRead(
    ['webhook_endpoints', endpointId, 'delivery', id],
    (api) => api.webhookEndpoints.getDelivery(endpointId, id),
    { everyMs: EVERY_MS },
  );
  const retry = useWrite((api) => api.webhookEndpoints.retryDelivery(endpointId, id), {
    changes: ['webhook_endpoints'],
    done: t.deliveryTriedAgain,
  });
  return (
    <Dialog
      title={delivery === undefined ? t.delivery : t.deliveryOf(delivery.event_type)}
      isOpen
      onClose={onClose}
      isWide
    >
      <ErrorNote error={error ?? retry.error} />
      {delivery !== undefined && (
        <>
          <Row>
            <Status status={delivery.status} />
            <Button isPending={retry.isPending} onPress={() => retry.mutate(undefined)}>
              {t.tryAgain}
            </Button>
          </Row>
          {isWaiting && <p>{t.waitsOneBeforeEvents}</p>}
          <EventFacts id={delivery.event_id} />
          {delivery.attempts.map((attempt, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: attempts are only added at the end
            <Attempt key={index} title={t.attempt(index + 1)} attempt={attempt} />
          ))}
          {delivery.request_body !== null && <RequestBody text={pretty(delivery.request_body)} />}
        </>
      )}
    </Dialog>
  );
}

/** The event that is delivered, and the resource that it is about. */
function EventFacts({ id }: { id: string }) {
  const ledger = useLedger();
  const { data: event } = useRead(['events', id], (api) => api.events.get(id));
  return (
    <Facts
      facts={[
        [
          t.event,
          <Link key="event" to={ledgerPath(ledger, `events/${id}`)}>
            <code>{id}</code>
          </Link>,
        ],
        [
          t.resource,
          event === undefined ? <code key="resource">…</code> : <ResourceLink key="resource" id={event.resource_id} />,
        ],
      ]}
    />
  );
}

/** A body of more lines is folded. */
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
      <Code label={t.headersRequest} text={lines(attempt.request_headers)} />
      {attempt.response_headers !== null && <Code label={t.headersAnswer} text={lines(attempt.response_headers)} />}
      {attempt.response_body !== null && attempt.response_body !== '' && (
        <Code label={t.bodyAnswer} text={attempt.response_body} />
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
