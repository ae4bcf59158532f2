export const NAME_CHARS_MAX = 200;
export const GREETING_CHARS_MAX = 1000;

/** The voicemail greeting of a config without one. */
export const DEFAULT_GREETING = 'Nobody can take your call right now. Please leave a message after the tone.';

export const TARGETS_MAX = 10;
export const RING_STRATEGIES = ['simultaneous', 'sequential'] as const;
/** Seconds of ringing: for each target under `sequential`, for all targets together under `simultaneous`. */
export const RING_TIMEOUT = { min: 1, max: 600, default: 25 } as const;

/** In the order of ISO 8601: Monday is day 1. */
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Day = (typeof DAYS)[number];

export const SCHEDULE_ENTRIES_MAX = 50;
export const HOLIDAYS_MAX = 400;

/** The form of a ring target that is a web client; all other targets are numbers. */
export const WEB_CLIENT_ID = /^wcl_/;
