// An IANA name is letters, digits and `_ + - /`, and begins with a letter. This excludes offsets such as `-07:00` and
// whole timestamps. Temporal accepts both as a time zone.
const ZONE_SHAPE = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

/**
 * True for a name in the IANA time zone database, canonical (`America/Phoenix`) or link (`US/Arizona`). False for
 * abbreviations that are not IANA names (`PST`, `IST`), for offsets, and for names in another case: consumers of a
 * stored zone look it up by its exact name.
 *
 * Temporal decides, not `Intl.DateTimeFormat`, which also accepts the legacy aliases of ICU.
 */
export function isTimeZone(name: string): boolean {
  if (!ZONE_SHAPE.test(name)) return false;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId === name;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
