export const NAME_CHARS_MAX = 200;
export const EXTERNAL_REF_CHARS_MAX = 200;
export const DEFAULT_TIMEZONE = 'America/Phoenix';
