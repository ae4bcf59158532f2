import { type DateStyle, formatMoment, formatUtc } from '../lib/dates.ts';
import { useZone } from '../lib/zone.ts';

type MomentProps = {
  /** RFC 3339 */
  at: string | null | undefined;
  /** The tenant whose zone the time is shown in; this browser's zone without one. */
  tenantId?: string | null | undefined;
  format?: DateStyle;
};

/** A moment in the tenant's zone; the pointer shows it in UTC. */
export function Moment({ at, tenantId, format = 'short' }: MomentProps) {
  const zone = useZone(tenantId);
  if (at === null || at === undefined) return <span>–</span>;
  return (
    <time dateTime={at} title={`${formatUtc(at)}\n${zone.name}`}>
      {formatMoment(at, format, zone.name)}
    </time>
  );
}
