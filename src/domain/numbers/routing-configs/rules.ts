export const NAME_CHARS_MAX = 200;
export const GREETING_CHARS_MAX = 1000;

/** What a caller hears where nobody has written a greeting. */
export const DEFAULT_GREETING = 'Nobody can take your call right now. Please leave a message after the tone.';

export const TARGETS_MAX = 10;
export const RING_STRATEGIES = ['simultaneous', 'sequential'] as const;
/** Seconds that a target rings: under `sequential` each of them, under `simultaneous` all together. */
export const RING_TIMEOUT = { min: 1, max: 600, default: 25 } as const;

/** In the order of ISO 8601: Monday is day 1. */
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Day = (typeof DAYS)[number];

export const SCHEDULE_ENTRIES_MAX = 50;
export const HOLIDAYS_MAX = 400;

/** Ring targets of this form name a web client; all others are numbers. */
export const WEB_CLIENT_ID = /^wcl_/;
