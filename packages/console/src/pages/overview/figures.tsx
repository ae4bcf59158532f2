import type { Call } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import type { Api } from '../../api/client.ts';
import { readQueues } from '../../api/installation.ts';
import { useOperatorRead } from '../../api/operator-queries.ts';
import { useRead } from '../../api/queries.ts';
import { formatShare, formatUsd } from '../../lib/amounts.ts';
import { formatAge } from '../../lib/durations.ts';
import { texts } from '../../texts/overview.ts';
import { Figure } from '../../ui/page.tsx';
import { TEXTS_MAX, useFates } from './recent-texts.ts';

const t = texts.figures;

const CALLS_MAX = 100;
const UNKNOWN = '–';
const QUEUES_EVERY_MS = 15_000;
/** Work that has been due for this time is late. */
const ON_TIME_S = 1;

/** The calls that are ringing or connected now. While a placed call is `dialing`, its agent rings. */
export function CallsFigure() {
  const { data: now } = useRead(['calls', 'now'], readRunning);
  if (now === undefined) return <Figure name={t.callsInProgress} value={UNKNOWN} note={undefined} />;
  const [talking, waiting] = [now.filter(isTalking).length, now.filter((call) => !isTalking(call)).length];
  return (
    <Figure name={t.callsInProgress} value={atMost(talking, CALLS_MAX)} note={t.ringing(atMost(waiting, CALLS_MAX))} />
  );
}

const RUNNING = ['dialing', 'ringing', 'in_progress'] as const;

/**
 * Reads the calls that are ringing or connected. A call changes its state only in this order of reads. So a call that
 * changes between two reads is in a later list, or in both.
 */
async function readRunning(api: Api): Promise<readonly Call[]> {
  const found = new Map<string, Call>();
  for (const status of RUNNING) {
    const { data } = await api.calls.list({ status, limit: CALLS_MAX });
    for (const call of data) found.set(call.id, call);
  }
  return [...found.values()];
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
