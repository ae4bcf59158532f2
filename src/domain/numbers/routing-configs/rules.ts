export const NAME_CHARS_MAX = 200;
export const GREETING_CHARS_MAX = 1000;

/** The voicemail greeting of a config without one. */
export const DEFAULT_GREETING = 'Nobody can take your call right now. Please leave a message after the tone.';

export const TARGETS_MAX = 10;
export const RING_STRATEGIES = ['simultaneous', 'sequential'] as const;
/** Seconds of ringing: for each target under `sequential`, for all targets together under `simultaneous`. */
export const RING_TIMEOUT = { min: 1, max: 600, default: 25 } as const;

/** The keys of a phone that choose an option of a menu. */
export const MENU_KEYS = '0123456789*#';
/** Characters of a menu's prompt. */
export const PROMPT_CHARS_MAX = 500;
/** Seconds that the caller has for a choice, from the end of the prompt. */
export const MENU_TIMEOUT = { min: 1, max: 30, default: 6 } as const;
/** The number of times that a menu speaks its prompt before it continues with `otherwise`. */
export const MENU_TRIES = { min: 1, max: 5, default: 2 } as const;
/** Maximum rings, voicemails and menus in one config, including the ones within menus. */
export const BEHAVIORS_MAX = 100;
/** Maximum keys that an evaluation follows through menus. */
export const EVALUATED_DIGITS_MAX = 32;

/** In the order of ISO 8601: Monday is day 1. */
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Day = (typeof DAYS)[number];

export const SCHEDULE_ENTRIES_MAX = 50;
export const HOLIDAYS_MAX = 400;

/** The ring target that is the platform's own software: it talks to the caller by streams, speech and gathers. */
export const APPLICATION = 'application';

/** The form of a ring target that is a web client. Other targets are telephones, `application` and numbers. */
export const WEB_CLIENT_ID = /^wcl_/;
