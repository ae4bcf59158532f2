export const NAME_CHARS_MAX = 200;
export const COMPANY_CHARS_MAX = 200;
export const EXTERNAL_REF_CHARS_MAX = 200;
export const NUMBERS_MAX = 10;
