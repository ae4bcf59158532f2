export const STATES = ['open', 'done'] as const;
/** What the last activity of a conversation is. */
export const ACTIVITY_KINDS = ['message', 'call', 'missed_call', 'voicemail'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];
export const TAGS_MAX = 20;
export const TAG_CHARS_MAX = 40;
/** The longest id that a platform has for one of its users. */
export const USER_ID_CHARS_MAX = 100;
export const SNOOZE_MS_MAX = 366 * 24 * 3_600_000;
/** The filter value for conversations without an assignee. No user has this id. */
export const NOBODY = 'none';
/** The most readers of a conversation. If there are more, only the latest are kept. */
export const READERS_MAX = 200;
/** A page of unread conversations reads its list in steps of EXAMINED_ROWS rows, at most EXAMINED_TIMES_MAX times. */
export const EXAMINED_ROWS = 101;
export const EXAMINED_TIMES_MAX = 10;
