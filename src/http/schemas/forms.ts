/**
 * Forms of texts. A form is a pattern and its description in words; a schema spreads both. The words are in the refusal
 * of a text that does not match (`"digits" must be …`), and in the OpenAPI document as `x-form`.
 */
export type Form = { readonly pattern: string; readonly form: string };

/**
 * The `maxLength` of texts whose pattern allows fewer characters. The error of a wrong text up to this length is the
 * form. The error of a longer text is the length.
 */
export const FORM_CHARS_MAX = 40;

/** A form of bounded length. */
export type ShortForm = Form & { readonly maxLength: number };

/**
 * The most characters of an e-mail address (RFC 5321, 4.5.3.1.3: a path has 256 octets, including its angle brackets).
 */
export const EMAIL_CHARS_MAX = 254;

export const VISIBLE: Form = { pattern: '\\S', form: 'text with at least one visible character' };

/** Excludes NUL and half of a surrogate pair, because they cannot be stored and returned unchanged. */
const STORABLE_CHARACTERS = '[^\\u0000\\ud800-\\udfff]*';

export const STORABLE: Form = {
  pattern: `^${STORABLE_CHARACTERS}$`,
  form: 'text without NUL and without half of a surrogate pair',
};

/** Text that is stored, shown and spoken. */
export const SPEAKABLE: Form = {
  pattern: `^(?=[^]*\\S)${STORABLE_CHARACTERS}$`,
  form: 'text with at least one visible character, without NUL and without half of a surrogate pair',
};

export const E164: ShortForm = {
  maxLength: FORM_CHARS_MAX,
  pattern: '^\\+[1-9][0-9]{6,14}$',
  form: 'a number in E.164: + and 7 to 15 digits, such as +16025550143',
};

export const US_NUMBER: ShortForm = {
  maxLength: FORM_CHARS_MAX,
  pattern: '^\\+1[0-9]{10}$',
  form: 'a number in E.164, of the United States: +1 and ten digits',
};

/** A number that a caller asks about, to learn if it can be ported. Numbers of other countries get an answer too. */
export const ANY_NUMBER: ShortForm = {
  maxLength: FORM_CHARS_MAX,
  pattern: '^\\+(1[0-9]{10}|[2-9][0-9]{6,14})$',
  form: 'a number in E.164: + and 7 to 15 digits, and after +1 ten digits, such as +16025550143',
};

/** The external party of a text or call: a number, a short code, or a hidden number. */
export const PARTY: ShortForm = {
  maxLength: FORM_CHARS_MAX,
  pattern: `(${E164.pattern})|^[0-9]{3,6}$|^anonymous$`,
  form: 'a number in E.164 such as +16025550143, a short code of 3 to 6 digits, or anonymous',
};

export const US_STATE: ShortForm = {
  maxLength: FORM_CHARS_MAX,
  pattern: '^[A-Za-z]{2}$',
  form: 'two letters, such as AZ',
};

export const US_POSTAL_CODE: ShortForm = {
  maxLength: FORM_CHARS_MAX,
  pattern: '^[0-9]{5}(-[0-9]{4})?$',
  form: 'a ZIP code such as 85004 or 85004-1234',
};
