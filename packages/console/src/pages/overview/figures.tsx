import type { Call } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import { readQueues } from '../../api/installation.ts';
import { useOperatorRead } from '../../api/operator-queries.ts';
import { useRead } from '../../api/queries.ts';
import { formatShare, formatUsd } from '../../lib/amounts.ts';
import { formatAge } from '../../lib/durations.ts';
import { texts } from '../../texts/overview.ts';
import { Figure } from '../../ui/page.tsx';
import { TEXTS_MAX, useFates } from './recent-texts.ts';
import { CALLS_MAX, useRunningCalls } from './running-calls.ts';

const t = texts.figures;

const UNKNOWN = '–';
const QUEUES_EVERY_MS = 15_000;
/** Work that has been due for this time is late. */
const ON_TIME_S = 1;

/** The calls that are connected now, and how many are ringing. */
export function CallsFigure() {
  const { data } = useRunningCalls();
  if (data === undefined) return <Figure name={t.callsInProgress} value={UNKNOWN} note={undefined} />;
  const talking = data.running.filter(isTalking).length;
  const waiting = data.running.length - talking;
  return (
    <Figure name={t.callsInProgress} value={atMost(talking, CALLS_MAX)} note={t.ringing(atMost(waiting, CALLS_MAX))} />
  );
}

const isTalking = ({ status }: Call) => status === 'in_progress';
const atMost = (count: number, max: number) => (count < max ? String(count) : `${max}+`);

/** The share of the newest texts that arrived. */
export function DeliveryFigure() {
  const { fates } = useFates();
  const { decided, delivered } = fates;
  const value = decided.length === 0 ? UNKNOWN : formatShare(delivered / decided.length);
  return (
    <Figure
      name={t.textsDelivered}
      value={value}
      note={decided.length === 0 ? t.noTextWas : t.ofTheLast(Math.min(TEXTS_MAX, decided.length))}
    />
  );
}

export function BalanceFigure() {
  const { data } = useRead(['balance'], (api) => api.balance.get());
  return <Figure name={t.balance} value={data === undefined ? UNKNOWN : formatUsd(data.amount_usd)} />;
}

/** The time that the oldest job of the installation has been due. For operators. */
export function QueueFigure() {
  const { data } = useOperatorRead(['queues'], readQueues, { everyMs: QUEUES_EVERY_MS });
  const ages = [...(data?.jobs ?? []), ...(data?.lanes ?? [])].map(({ oldest_due_seconds }) => oldest_due_seconds);
  const oldest = Math.max(0, ...ages);
  const value = oldest < ON_TIME_S ? t.onTime : t.late(formatAge(oldest));
  return (
    <Figure
      name={t.backgroundWork}
      value={data === undefined ? UNKNOWN : value}
      note={<Link to="/operator/queues">{t.queuesInstallation}</Link>}
    />
  );
}
