import type { WebhookDelivery } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { type List, useList } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { texts } from '../../texts/webhooks.ts';
import { Status, words } from '../../ui/badge.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Moment } from '../../ui/moment.tsx';
import { answerOf } from './failing.tsx';

const t = texts.deliveries;

/** Attempts have no events, so the list is polled. */
export const EVERY_MS = 3_000;
const ANY = 'any';
const STATUSES = ['pending', 'delivered', 'failed', 'given_up'] as const;

type DeliveriesProps = { endpointId: string; isActive: boolean };

/** The deliveries to an endpoint, newest first. Each has a page with its attempts. */
export function Deliveries({ endpointId, isActive }: DeliveriesProps) {
  const ledger = useLedger();
  const [status, setStatus] = useState<WebhookDelivery['status']>();
  const deliveries = useDeliveries(endpointId, status);
  // If the list shows only one status, it lacks earlier deliveries of other statuses.
  const waits = (delivery: WebhookDelivery) => isActive && status === undefined && waitsIn(deliveries, delivery);
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
        rowLink={({ id }) => ledgerPath(ledger, `webhooks/${endpointId}/deliveries/${id}`)}
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
        ]}
        empty={
          status === undefined ? (
            <EmptyState title={t.nothingWasSent}>{t.sendTestLet}</EmptyState>
          ) : (
            <EmptyState title={t.noDeliveryStatus}>{t.chooseAnotherOne}</EmptyState>
          )
        }
      />
    </>
  );
}

/** Reads the deliveries to an endpoint, with one status or with any. */
export function useDeliveries(endpointId: string, status?: WebhookDelivery['status']): List<WebhookDelivery> {
  return useList(
    ['webhook_endpoints', endpointId, 'deliveries', status],
    (api, page) => api.webhookEndpoints.listDeliveries(endpointId, { ...page, status }),
    { everyMs: EVERY_MS },
  );
}

/**
 * Returns true if a delivery waits for an earlier one in the list. A delivery without an attempt is about to be sent,
 * unless an earlier one is unfinished.
 */
export function waitsIn({ rows, hasMore }: Pick<List<WebhookDelivery>, 'rows' | 'hasMore'>, delivery: WebhookDelivery) {
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
