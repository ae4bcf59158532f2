/**
 * The moment `months` calendar months after `anchor`, in UTC. A day that the month does not have is its last one, and
 * because each month is counted from the anchor, the 31st comes back after February.
 */
export function monthsAfter(anchor: Date, months: number): Date {
  const start = Temporal.Instant.fromEpochMilliseconds(anchor.getTime()).toZonedDateTimeISO('UTC');
  return new Date(start.add({ months }).epochMilliseconds);
}
