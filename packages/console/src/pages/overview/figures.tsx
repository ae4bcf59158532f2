import { useRead } from '../../api/queries.ts';
import { formatUsd } from '../../lib/numbers.ts';
import { Figure } from '../../ui/page.tsx';
import { TEXTS_MAX, useFates } from './recent-texts.ts';

const CALLS_MAX = 100;
const UNKNOWN = '–';

/** The calls that ring or talk now. A call that is placed rings the agent while it is `dialing`. */
export function CallsFigure() {
  const talking = useCalls('in_progress');
  const [dialing, ringing] = [useCalls('dialing'), useCalls('ringing')];
  const value = talking === undefined ? UNKNOWN : `${talking.data.length}${talking.hasMore ? '+' : ''}`;
  const waiting =
    dialing &&
    ringing &&
    `${dialing.data.length + ringing.data.length}${dialing.hasMore || ringing.hasMore ? '+' : ''}`;
  return <Figure name="Calls in progress" value={value} note={waiting && `${waiting} ringing`} />;
}

function useCalls(status: 'in_progress' | 'dialing' | 'ringing') {
  return useRead(['calls', 'now', status], (api) => api.calls.list({ status, limit: CALLS_MAX })).data;
}

/** The share of the newest texts that arrived. */
export function DeliveryFigure() {
  const { fates } = useFates();
  const { decided, delivered } = fates;
  const value =
    decided.length === 0
      ? UNKNOWN
      : `${((100 * delivered) / decided.length).toFixed(delivered === decided.length ? 0 : 1)} %`;
  return (
    <Figure
      name="Texts delivered"
      value={value}
      note={decided.length === 0 ? 'no text was sent yet' : `of the last ${Math.min(TEXTS_MAX, decided.length)}`}
    />
  );
}

export function BalanceFigure() {
  const { data } = useRead(['balance'], (api) => api.balance.get());
  return <Figure name="Balance" value={data === undefined ? UNKNOWN : formatUsd(data.amount_usd)} />;
}
