/** The longest Retry-After that is obeyed. */
export const RETRY_AFTER_MAX_MS = 24 * 3_600_000;

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = '\\d{2}:\\d{2}:\\d{2}';
/** RFC 9110 5.6.7: the date form in use, then the two obsolete ones that a recipient must still read. */
const IMF_FIXDATE = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d{2} ${MONTH} \\d{4} ${TIME} GMT$`);
const RFC850_DATE = new RegExp(`^[A-Z][a-z]+day, \\d{2}-${MONTH}-\\d{2} ${TIME} GMT$`);
const ASCTIME_DATE = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} [ \\d]\\d ${TIME} \\d{4}$`);

function parseHttpDate(text: string): number {
  // Checks the patterns first, because Date.parse accepts almost anything, such as "7" and "1.5".
  if (IMF_FIXDATE.test(text) || RFC850_DATE.test(text)) return Date.parse(text);
  if (ASCTIME_DATE.test(text)) return Date.parse(`${text} GMT`);
  return Number.NaN;
}

/**
 * Returns how long a `Retry-After` header asks to wait, in milliseconds from `nowMs` (epoch): whole seconds or an HTTP
 * date (RFC 9110 10.2.3), at most 24 hours. A past date is 0. Null for a missing or unreadable value; the first of a
 * repeated header counts.
 */
export function parseRetryAfter(header: string | string[] | null | undefined, nowMs: number): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return null;
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, RETRY_AFTER_MAX_MS);
  const atMs = parseHttpDate(text);
  if (Number.isNaN(atMs)) return null;
  return Math.min(Math.max(atMs - nowMs, 0), RETRY_AFTER_MAX_MS);
}
