import { ERRORS, type ErrorCode } from '../../lib/errors.ts';
import type { OperationText } from './texts/index.ts';
import type { Operation } from './types.ts';

/** Codes with which any request with a key can be refused. */
const WITH_KEY: readonly ErrorCode[] = [
  'missing_api_key',
  'malformed_authorization',
  'invalid_api_key',
  'account_suspended',
  'rate_limited',
  'invalid_body',
  'database_unavailable',
];
/** Codes that any request with a body can get. */
const WITH_BODY: readonly ErrorCode[] = ['invalid_json', 'unreadable_body', 'unsupported_media_type'];
const WITH_IDEMPOTENCY_KEY: readonly ErrorCode[] = ['idempotency_key_reuse', 'idempotency_in_progress'];

/** The codes of which the description of the whole API says when any operation has them. */
const GENERAL = new Set<string>([
  ...WITH_KEY,
  ...WITH_BODY,
  ...WITH_IDEMPOTENCY_KEY,
  'service_paused',
  'internal_error',
]);

/**
 * Returns all codes with which an operation can be refused, in the order of the catalogue: those of its text, and those
 * that follow from its schemas, its key and its method.
 */
function errorsOf(method: string, operation: Operation, text: OperationText): ErrorCode[] {
  const { security } = operation;
  const isPublic = security?.length === 0;
  const isWrite = method !== 'get';
  const isPost = method === 'post';
  const codes = new Set<string>([
    'internal_error',
    ...(text.errors ?? []),
    ...(operation['x-error-codes'] ?? []),
    ...(isPublic ? [] : WITH_KEY),
    ...(isWrite ? [...WITH_BODY, 'service_paused'] : []),
    ...(isPost ? WITH_IDEMPOTENCY_KEY : []),
    ...(operation['x-key-access'] === 'account' ? ['key_not_permitted'] : []),
    ...(operation['x-key-mode'] === 'test' ? ['test_mode_only'] : []),
  ]);
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code));
}

/** Returns the description of an operation, and the codes with which it can be refused. */
export function describeOperation(
  method: string,
  operation: Operation,
  text: OperationText,
): { description: string; 'x-error-codes': string[] } {
  const errors = errorsOf(method, operation, text);
  const own = errors.filter((code) => !GENERAL.has(code));
  const paragraphs = [
    text.description,
    keySentence(operation),
    text.events === undefined ? '' : `Events: ${names(text.events)}.`,
    own.length === 0 ? '' : `Errors: ${byStatus(own)}.`,
  ];
  return { description: paragraphs.filter((each) => each !== '').join('\n\n'), 'x-error-codes': errors };
}

function keySentence(operation: Operation): string {
  if (operation.security?.length === 0) return 'Needs no key.';
  const kind = operation['x-key-mode'] === 'test' ? 'a test key' : 'a key';
  if (operation['x-key-access'] === 'account') return `Needs ${kind} of the account; a key of one tenant is refused.`;
  return `Needs ${kind} of the account or of the tenant.`;
}

function byStatus(codes: readonly ErrorCode[]): string {
  const groups = Map.groupBy(codes, (code) => ERRORS[code].status);
  const sorted = [...groups].sort(([a], [b]) => a - b);
  return sorted.map(([status, group]) => `${status} ${names(group)}`).join('; ');
}

const names = (codes: readonly string[]) => codes.map((code) => `\`${code}\``).join(', ');

/** What the description of the whole API says about codes that no single operation names. */
export const GENERAL_ERRORS =
  `Any operation can be refused with ${names([...GENERAL])}; the descriptions of operations name the other codes. ` +
  '`x-error-codes` has all codes of an operation.';

/** Returns the codes with which the schemas of a route refuse its query and its body. */
export function codesOfInput({ body, querystring }: { body?: unknown; querystring?: unknown }): string[] {
  return [...new Set([body, querystring].flatMap(codesOfFields))];
}

const FIELD_CODES = ['errorCode', 'missingCode', 'lengthCode', 'unknownCode'];

function codesOfFields(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { required, ...keywords } = schema as Record<string, unknown>;
  const own = FIELD_CODES.flatMap((keyword) => (typeof keywords[keyword] === 'string' ? [keywords[keyword]] : []));
  const absent = Array.isArray(required) && required.length > 0 ? ['missing_fields'] : [];
  const range = own.includes('invalid_start') ? ['invalid_range'] : [];
  return [...own, ...absent, ...range, ...Object.values(keywords).flatMap(codesOfFields)];
}
