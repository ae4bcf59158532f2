import type { UsageSummary } from '@dialplane/sdk/resources';
import { useRead } from '../../api/queries.ts';
import { formatCount } from '../../lib/amounts.ts';
import { useNow } from '../../lib/now.ts';
import { texts } from '../../texts/overview.ts';
import { Card } from '../../ui/page.tsx';
import css from './overview.module.css';

const t = texts.traffic;

const DAYS = 7;
const DAY_MS = 86_400_000;
const TODAY_EVERY_MS = 15_000;

/** The series of the bars, with the kinds of usage that each adds up. */
const SERIES = [
  { title: t.textSegmentsSent, kinds: ['sms_segment_outbound', 'mms_outbound'] },
  { title: t.textSegmentsReceived, kinds: ['sms_segment_inbound', 'mms_inbound'] },
  { title: t.callMinutes, kinds: ['call_minute_outbound', 'call_minute_inbound'] },
] as const;

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The traffic of each of the last days, as bars and as numbers. Days are in UTC. */
export function Traffic() {
  const now = useNow();
  if (now === undefined) return null;
  return <TrafficUntil today={dayOf(now.getTime())} />;
}

function TrafficUntil({ today }: { today: string }) {
  const dayFrom = (offset: number) => dayOf(Date.parse(today) + offset * DAY_MS);
  const days = Array.from({ length: DAYS }, (_, index) => dayFrom(index + 1 - DAYS));
  const query = { start: dayFrom(1 - DAYS), end: dayFrom(1), group_by: 'day' } as const;
  const { data } = useRead(['usage', query], (api) => api.usage.get(query), { everyMs: TODAY_EVERY_MS });
  return (
    <Card label={t.traffic}>
      <h2 className={css.heading}>{t.theLastDays(DAYS)}</h2>
      <div className={css.series}>
        {SERIES.map(({ title, kinds }) => (
          <Bars key={title} title={title} days={days} values={days.map((day) => sumOf(data, day, kinds))} />
        ))}
      </div>
    </Card>
  );
}

function sumOf(usage: UsageSummary | undefined, day: string, kinds: readonly string[]): number {
  const counted = usage?.data.filter((item) => item.day === day && kinds.includes(item.kind)) ?? [];
  return counted.reduce((sum, { quantity }) => sum + quantity, 0);
}

type BarsProps = { title: string; days: readonly string[]; values: readonly number[] };

function Bars({ title, days, values }: BarsProps) {
  const highest = Math.max(1, ...values);
  const total = values.reduce((sum, value) => sum + value, 0);
  return (
    <figure className={css.bars}>
      <figcaption>
        {title} <strong>{formatCount(total)}</strong>
      </figcaption>
      <ol>
        {days.map((day, index) => (
          <li key={day} title={`${day}: ${values[index]}`}>
            <span className={css.bar} style={{ height: `${(100 * (values[index] ?? 0)) / highest}%` }} />
            <span className="visually-hidden">
              {day}: {values[index]}
            </span>
            <span className={css.day} aria-hidden>
              {day.slice(8)}
            </span>
          </li>
        ))}
      </ol>
    </figure>
  );
}
