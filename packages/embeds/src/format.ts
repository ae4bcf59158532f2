/** Numbers, times and lengths as people read them. */

/** Returns a US number as (602) 555-0143, and any other as it is. */
export function formatNumber(number: string): string {
  if (number === 'anonymous') return 'Number withheld';
  const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number) ?? [];
  return area === undefined ? number : `(${area}) ${exchange}-${line}`;
}

/** Returns a typed or pasted number as it is dialled: E.164, or 911 and 933. US numbers need no country code. */
export function readNumber(text: string): string {
  const digits = text.normalize('NFKC').replaceAll(/[^\d+]/g, '');
  if (/^\d{10}$/.test(digits)) return `+1${digits}`;
  return /^1\d{10}$/.test(digits) ? `+${digits}` : digits;
}

/** Returns 125 as 2:05. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60), whole % 60];
  const padded = String(rest).padStart(2, '0');
  return hours === 0 ? `${minutes}:${padded}` : `${hours}:${String(minutes).padStart(2, '0')}:${padded}`;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const day = new Intl.DateTimeFormat(undefined, { weekday: 'long', month: 'long', day: 'numeric' });
const shortDay = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const shortDayAndYear = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'short', day: 'numeric' });

export const formatClock = (at: string): string => clock.format(new Date(at));

/** Returns a day as Today, Yesterday, or its date. */
export function formatDay(at: string, now = new Date()): string {
  const date = new Date(at);
  if (isSameDay(date, now)) return 'Today';
  if (isSameDay(date, new Date(now.getTime() - 86_400_000))) return 'Yesterday';
  return day.format(date);
}

/** Returns the time of a moment today, and the date of any other. */
export function formatWhen(at: string, now = new Date()): string {
  const date = new Date(at);
  if (isSameDay(date, now)) return clock.format(date);
  return (date.getFullYear() === now.getFullYear() ? shortDay : shortDayAndYear).format(date);
}

function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}
