import { useEffect } from 'react';
import { type DateStyle, formatMoment, formatUtc } from '../lib/dates.ts';
import { useShownZone } from '../lib/zone.ts';

type MomentProps = {
  /** RFC 3339 */
  at: string | null | undefined;
  /** The tenant whose time zone applies to the moment. */
  tenantId?: string | null | undefined;
  format?: DateStyle;
};

/**
 * A moment in the zone that the person has chosen. Outside lists, it has the name of the zone. Its tooltip shows it in
 * UTC.
 */
export function Moment({ at, tenantId, format = 'short' }: MomentProps) {
  const { name, list } = useShownZone(tenantId);
  const isShown = at !== null && at !== undefined;
  useEffect(() => {
    if (isShown) list?.onTime();
  }, [isShown, list]);
  if (!isShown) return <span>–</span>;
  return (
    <time dateTime={at} title={`${formatUtc(at)}\n${name}`}>
      {formatMoment(at, format, { zone: name, isNamed: list === undefined })}
    </time>
  );
}
