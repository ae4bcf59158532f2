export const NAME_CHARS_MAX = 200;
export const COMPANY_CHARS_MAX = 200;
/** RFC 5321, 4.5.3.1.3. */
export const EMAIL_CHARS_MAX = 254;
export const EXTERNAL_REF_CHARS_MAX = 200;
export const NUMBERS_MAX = 10;
