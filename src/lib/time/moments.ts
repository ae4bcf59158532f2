// RFC 3339, 5.6: the offset is required. The hour ends at 23, though ISO 8601 and `Date` know 24:00.
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Returns the moment that a date-time of RFC 3339 names, to the millisecond; undefined if it names none. */
export function parseMoment(text: string): Date | undefined {
  const day = DATE_TIME.exec(text)?.[1];
  const moment = new Date(text);
  return day === undefined || Number.isNaN(moment.getTime()) || !isRealDay(day) ? undefined : moment;
}

/** Returns true if a date (YYYY-MM-DD) exists: `Date` turns 30 February into a day in March. */
function isRealDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
