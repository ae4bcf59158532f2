/**
 * The API's sentences about the value of a field, in Spanish. In English, the server builds these sentences from its
 * schemas.
 */

/** The forms of values, as the schemas name them. */
const FORMS: Readonly<Record<string, string>> = {
  'a string': 'un texto',
  'a number': 'un número',
  'an integer': 'un número entero',
  'true or false': 'sí o no',
  'an array': 'una lista',
  'an object': 'un objeto',
  null: 'vacío',
  'a date such as 2026-11-20': 'una fecha, como 2026-11-20',
  'a moment in RFC 3339, such as 2026-11-20T09:00:00Z': 'un momento en RFC 3339, como 2026-11-20T09:00:00Z',
  'an email address': 'una dirección de correo electrónico',
  'an IANA time zone such as America/Phoenix': 'una zona horaria IANA, como America/Phoenix',
  'a web address such as https://example.com/': 'una dirección web, como https://example.com/',
  'of another form': 'de otra forma',
  'three digits': 'tres dígitos',
  'nine digits': 'nueve dígitos',
  'nine digits, as 123456789 or 12-3456789': 'nueve dígitos, como 123456789 o 12-3456789',
  'four to ten digits, as 123456': 'de cuatro a diez dígitos, como 123456',
  'a time of day, 00:00 to 23:59': 'una hora del día, de 00:00 a 23:59',
  'a time of day, 00:00 to 24:00': 'una hora del día, de 00:00 a 24:00',
  'HH:MM, 00:00 to 23:59': 'HH:MM, de 00:00 a 23:59',
  'HH:MM, 00:00 to 24:00': 'HH:MM, de 00:00 a 24:00',
  'text with at least one visible character': 'un texto con al menos un carácter visible',
  'text with at least one visible character, without NUL and without half of a surrogate pair':
    'un texto con al menos un carácter visible, sin caracteres de control ni medios caracteres',
  'text without NUL and without half of a surrogate pair': 'un texto sin caracteres de control ni medios caracteres',
  'a ZIP code such as 85004 or 85004-1234': 'un código postal (ZIP), como 85004 o 85004-1234',
  'two letters, such as AZ': 'dos letras, como AZ',
  'a language tag such as en-US': 'una etiqueta de idioma, como en-US',
  'a number in E.164 such as +16025550143, a short code of 3 to 6 digits, or anonymous':
    'un número E.164, como +16025550143, un código corto de 3 a 6 dígitos, o “anonymous”',
  'a number in E.164, of the United States: +1 and ten digits': 'un número E.164 de Estados Unidos: +1 y diez dígitos',
  'a number in E.164: + and 7 to 15 digits, and after +1 ten digits, such as +16025550143':
    'un número E.164: + y de 7 a 15 dígitos, y después de +1 diez dígitos, como +16025550143',
  'a number in E.164: + and 7 to 15 digits, such as +16025550143':
    'un número E.164: + y de 7 a 15 dígitos, como +16025550143',
  'a phone number, an email address, or a web address that begins with https:// or http://':
    'un número de teléfono, una dirección de correo electrónico, o una dirección web que empiece con https:// o http://',
  'a status such as 404, or a class of them such as 4xx': 'un estado, como 404, o una clase de estados, como 4xx',
  'a web address with a host, that begins with https:// or http://':
    'una dirección web con servidor, que empiece con https:// o http://',
  'an amount in decimal dollars, such as 250 or 19.99, with six places at most':
    'un importe en dólares, como 250 o 19.99, con un máximo de seis decimales',
  'an origin in lower case, such as https://app.example or http://localhost:3000':
    'un origen en minúsculas, como https://app.example o http://localhost:3000',
  'keys of a phone: digits, * and #': 'teclas de un teléfono: dígitos, * y #',
  '1 to 32 keys of 0-9 A-D * #': 'de 1 a 32 teclas de 0-9 A-D * #',
  'one digit of 0-9 * #': 'un dígito de 0-9 * #',
  'one of 0 to 9, * and #': 'uno de 0 a 9, * y #',
  'the id of a web client, sip_phone: and the name of a telephone, or an E.164 number':
    'el id de un cliente web, sip_phone: y el nombre de un teléfono, o un número E.164',
  'up to 50 numbers in E.164 with commas between them': 'hasta 50 números E.164 separados por comas',
};

const UNITS: Readonly<Record<string, string>> = {
  character: 'carácter',
  characters: 'caracteres',
  item: 'elemento',
  items: 'elementos',
  field: 'campo',
  fields: 'campos',
};

const formOf = (form: string) =>
  FORMS[form] ??
  form
    .split(' or ')
    .map((part) => FORMS[part] ?? part)
    .join(' o ');

/** Sentences by their English form, without the name of the field. The first matching form counts. */
const RULES: readonly (readonly [RegExp, (found: readonly string[]) => string])[] = [
  [/^is not a field of this request\.$/, () => 'La solicitud no tiene este campo.'],
  [/^is not valid\.?$/, () => 'No es válido.'],
  [/^must be one of (.+)\.$/, ([values = '']) => `Debe ser uno de: ${values}.`],
  [/^must be at least (\S+)\.$/, ([limit]) => `Debe ser al menos ${limit}.`],
  [/^must be at most (\S+)\.$/, ([limit]) => `Debe ser como máximo ${limit}.`],
  [/^must be more than (\S+)\.$/, ([limit]) => `Debe ser más que ${limit}.`],
  [/^must be less than (\S+)\.$/, ([limit]) => `Debe ser menos que ${limit}.`],
  [
    /^must have at least (\d+) (\w+)\.$/,
    ([limit, unit = '']) => `Debe tener al menos ${limit} ${UNITS[unit] ?? unit}.`,
  ],
  [
    /^must have at most (\d+) (\w+)\.$/,
    ([limit, unit = '']) => `Debe tener como máximo ${limit} ${UNITS[unit] ?? unit}.`,
  ],
  [/^must not have the same item twice/, () => 'No debe tener el mismo elemento dos veces.'],
  [/^must be (.+)\.$/, ([form = '']) => `Debe ser ${formOf(form)}.`],
];

/** Returns the sentence in Spanish; undefined if its form is unknown. */
export function ruleOf(sentence: string): string | undefined {
  for (const [pattern, say] of RULES) {
    const found = pattern.exec(sentence);
    if (found !== null) return say(found.slice(1));
  }
  return undefined;
}
