export const STATES = ['open', 'done'] as const;
export const TAGS_MAX = 20;
export const TAG_CHARS_MAX = 40;
/** The longest id that a platform has for one of its users. */
export const USER_ID_CHARS_MAX = 100;
export const SNOOZE_MS_MAX = 366 * 24 * 3_600_000;
/** In the filter by assignee: conversations that nobody has. No user has this id. */
export const NOBODY = 'none';
