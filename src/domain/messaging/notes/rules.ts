export const BODY_CHARS_MAX = 4_000;
export const AUTHOR_CHARS_MAX = 100;
/** Notes of one conversation. */
export const NOTES_MAX = 1_000;
