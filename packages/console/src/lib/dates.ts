import { locale } from './language.ts';

/**
 * `short`: only the time if the moment is today, else with the date; `long`: date, and time with seconds; `log`: `long`
 * without the year if it is the present one; `zoned`: `log` with the name of the zone, for moments that belong to no
 * tenant; `clock`: hours and minutes such as 06:26, like business hours.
 */
export type DateStyle = 'short' | 'long' | 'log' | 'zoned' | 'time' | 'day' | 'clock';

const LONG: Intl.DateTimeFormatOptions = {
  ...{ year: 'numeric', month: 'short', day: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
};
const { year: _, ...WITHOUT_YEAR } = LONG;
const FORMATS: Readonly<Record<Exclude<DateStyle, 'short'>, Intl.DateTimeFormatOptions>> = {
  long: LONG,
  log: WITHOUT_YEAR,
  zoned: { ...WITHOUT_YEAR, timeZoneName: 'short' },
  time: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  day: { year: 'numeric', month: 'short', day: 'numeric' },
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
};
const TODAY: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
const EARLIER: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' };
const OTHER_YEAR: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric' };

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(options: Intl.DateTimeFormatOptions, zone: string): Intl.DateTimeFormat {
  const name = `${zone} ${JSON.stringify(options)}`;
  let found = formatters.get(name);
  if (found === undefined) {
    found = new Intl.DateTimeFormat(locale.tag, { ...options, timeZone: zone });
    formatters.set(name, found);
  }
  return found;
}

type Zone = {
  /** An IANA name. */
  readonly zone: string;
  /** True to write the zone with a time. */
  readonly isNamed?: boolean;
};

/** Writes a moment (RFC 3339) in a zone. */
export function formatMoment(at: string, style: DateStyle, { zone, isNamed = false }: Zone): string {
  const date = new Date(at);
  const options = optionsOf(date, style, zone);
  const isTime = options.hour !== undefined && style !== 'clock';
  return formatter(isNamed && isTime ? { ...options, timeZoneName: 'short' } : options, zone).format(date);
}

function optionsOf(date: Date, style: DateStyle, zone: string): Intl.DateTimeFormatOptions {
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  if (style === 'log' && !isThisYear) return LONG;
  if (style === 'zoned' && !isThisYear) return { ...LONG, timeZoneName: 'short' };
  if (style !== 'short') return FORMATS[style];
  const day = formatter(FORMATS.day, zone);
  if (day.format(date) === day.format(new Date())) return TODAY;
  return isThisYear ? EARLIER : OTHER_YEAR;
}

export function formatUtc(at: string): string {
  return `${new Date(at)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '')} UTC`;
}

/** Writes a length such as 75 s as "1:15". */
export function formatLength(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const pad = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`;
}
