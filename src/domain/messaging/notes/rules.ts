export const BODY_CHARS_MAX = 4_000;
/** Notes of one conversation. */
export const NOTES_MAX = 1_000;
