/** Returns the clock of a zone (IANA) at a moment, in the form of a `datetime-local` field: "2026-11-24T09:30". */
export function wallTime(at: Date, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/**
 * Returns the moment when the clock of a zone shows `wall`, as RFC 3339. A time that the clock skips in spring becomes
 * one hour later. A time that it shows twice in autumn becomes one of the two.
 */
export function momentOf(wall: string, zone: string): string {
  const asUtc = Date.parse(`${wall}:00Z`);
  const offsetAt = (ms: number) => Date.parse(`${wallTime(new Date(ms), zone)}:00Z`) - ms;
  const near = asUtc - offsetAt(asUtc);
  return new Date(asUtc - offsetAt(near)).toISOString();
}
