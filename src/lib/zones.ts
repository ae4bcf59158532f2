// An IANA name is letters, digits and `_ + - /`, led by a letter. This alone keeps out offsets such as `-07:00` and
// whole timestamps, both of which Temporal would take for a time zone.
const ZONE_SHAPE = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

/**
 * True for a name in the IANA time zone database, canonical (`America/Phoenix`) or link (`US/Arizona`).
 * Abbreviations that are no IANA name (`PST`, `IST`) and offsets are refused, and so is any other spelling of case:
 * what is stored is handed to consumers that look zones up by exact name.
 *
 * Temporal decides, not `Intl.DateTimeFormat`: the latter also knows the legacy aliases of ICU.
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
