export const NAME_CHARS_MAX = 200;
export const COMPANY_CHARS_MAX = 200;
export const EXTERNAL_REF_CHARS_MAX = 200;
export const NUMBERS_MAX = 10;
/** Maximum contacts in one request that creates or changes contacts. */
export const UPSERTS_MAX = 100;
/** The size of 100 contacts with all texts at their maximum length. */
export const UPSERT_BYTES_MAX = 512 * 1024;
/** 50 numbers of 16 characters with commas between them. */
export const NUMBERS_CHARS_MAX = 50 * 17;
