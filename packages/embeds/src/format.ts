/** Numbers, times and lengths as people read them. */
import type { Contacts } from './contacts.ts';
import type { Texts } from './texts/texts.ts';

/** Returns a US number as (602) 555-0143. Other numbers do not change. */
export function formatNumber(texts: Texts, number: string): string {
  if (number === 'anonymous') return texts.withheld;
  const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number) ?? [];
  return area === undefined ? number : `(${area}) ${exchange}-${line}`;
}

/**
 * Returns the name of the contact with a number. If there is none, returns the number in the form of `formatNumber`.
 */
export function nameOf(texts: Texts, contacts: Pick<Contacts, 'find'>, number: string): string {
  return contacts.find(number)?.name ?? formatNumber(texts, number);
}

/** Returns 125 as 2:05. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60), whole % 60];
  const padded = String(rest).padStart(2, '0');
  return hours === 0 ? `${minutes}:${padded}` : `${hours}:${String(minutes).padStart(2, '0')}:${padded}`;
}

const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;
const DAY = { weekday: 'long', month: 'long', day: 'numeric' } as const;
const SHORT_DAY = { month: 'short', day: 'numeric' } as const;
const SHORT_DAY_AND_YEAR = { year: 'numeric', month: 'short', day: 'numeric' } as const;

export const formatClock = ({ formats }: Texts, at: string): string => formats.date(CLOCK, new Date(at));

/** Returns a day as Today, Yesterday, or its date. */
export function formatDay(texts: Texts, at: string, now = new Date()): string {
  const date = new Date(at);
  if (isSameDay(date, now)) return texts.today;
  if (isSameDay(date, new Date(now.getTime() - 86_400_000))) return texts.yesterday;
  // The text is a heading, so it begins with a capital. Spanish writes weekdays in lower case.
  const [first = '', ...rest] = texts.formats.date(DAY, date);
  return first.toLocaleUpperCase(texts.language) + rest.join('');
}

/** Returns the time of a moment today, and the date of any other moment. */
export function formatWhen({ formats }: Texts, at: string, now = new Date()): string {
  const date = new Date(at);
  if (isSameDay(date, now)) return formats.date(CLOCK, date);
  return formats.date(date.getFullYear() === now.getFullYear() ? SHORT_DAY : SHORT_DAY_AND_YEAR, date);
}

function isSameDay(date: Date, other: Date): boolean {
  return date.toDateString() === other.toDateString();
}
