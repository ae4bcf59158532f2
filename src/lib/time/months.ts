/**
 * Returns the moment `months` calendar months after `anchor`, in UTC. If the month lacks the day, its last day counts.
 * Months are counted from the anchor, so the 31st stays the 31st after February.
 */
export function monthsAfter(anchor: Date, months: number): Date {
  const start = Temporal.Instant.fromEpochMilliseconds(anchor.getTime()).toZonedDateTimeISO('UTC');
  return new Date(start.add({ months }).epochMilliseconds);
}
