import { ERRORS, type ErrorCode } from '../../lib/errors/errors.ts';
import type { ApiKind } from './api-kinds.ts';
import type { OperationText } from './texts/index.ts';
import type { Operation } from './types.ts';

/** Returns the codes that any operation can have. The description of the whole API lists them. */
function generalOf({ errors: { authenticated, change, post, always } }: ApiKind): Set<string> {
  return new Set([...authenticated, ...change, ...post, ...always]);
}

type Described = { readonly method: string; readonly text: OperationText; readonly isFile: boolean };

/** The code for a range that begins beyond the end of a file. Its status is 416. */
const FILE_RANGE: ErrorCode = 'invalid_range';

/**
 * Returns all error codes of an operation, in the order of the catalogue. They come from its text, its schemas, its key
 * and its method.
 */
function errorsOf(api: ApiKind, { method, text, isFile }: Described, operation: Operation): ErrorCode[] {
  const { security } = operation;
  const isPublic = security?.length === 0;
  const isWrite = method !== 'get';
  const isPost = method === 'post';
  const codes = new Set<string>([
    ...api.errors.always,
    ...(text.errors ?? []),
    ...(operation['x-error-codes'] ?? []),
    ...(isPublic ? [] : api.errors.authenticated),
    ...(isWrite ? api.errors.change : []),
    ...(isPost ? api.errors.post : []),
    ...(isFile ? [FILE_RANGE] : []),
    ...(operation['x-key-access'] === 'account' ? ['key_not_permitted'] : []),
    ...(operation['x-key-mode'] === 'test' ? ['test_mode_only'] : []),
    ...(operation['x-session-role'] === 'operator' ? ['operator_required'] : []),
  ]);
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code));
}

/** Returns the description of an operation, and its error codes. */
export function describeOperation(
  api: ApiKind,
  described: Described,
  operation: Operation,
): { description: string; 'x-error-codes': string[] } {
  const { text, isFile } = described;
  const errors = errorsOf(api, described, operation);
  const general = generalOf(api);
  const specific = errors.filter((code) => !general.has(code));
  const paragraphs = [
    text.description,
    api.needs(operation),
    text.events === undefined ? '' : `Events: ${names(text.events)}.`,
    specific.length === 0 ? '' : `Errors: ${byStatus(specific, isFile)}.`,
  ];
  return { description: paragraphs.filter((paragraph) => paragraph !== '').join('\n\n'), 'x-error-codes': errors };
}

function byStatus(codes: readonly ErrorCode[], isFile: boolean): string {
  const groups = Map.groupBy(codes, (code) => (isFile && code === FILE_RANGE ? 416 : ERRORS[code].status));
  const sorted = [...groups].sort(([a], [b]) => a - b);
  return sorted.map(([status, group]) => `${status} ${names(group)}`).join('; ');
}

const names = (codes: readonly string[]) => codes.map((code) => `\`${code}\``).join(', ');

/** Returns the paragraph of the API's description that lists the codes of all operations. */
export function describeGeneralErrors(api: ApiKind): string {
  return (
    `Any operation can be refused with ${names([...generalOf(api)])}; the descriptions of operations name the other ` +
    'codes. `x-error-codes` has all codes of an operation.'
  );
}

/** Returns the error codes of a route's schemas for its query and its body. */
export function codesOfInput({ body, querystring }: { body?: unknown; querystring?: unknown }): string[] {
  return [...new Set([body, querystring].flatMap(codesOfFields))];
}

const FIELD_CODES = ['errorCode', 'missingCode', 'lengthCode', 'unknownCode'];

function codesOfFields(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { required, ...keywords } = schema as Record<string, unknown>;
  const codes = FIELD_CODES.flatMap((keyword) => (typeof keywords[keyword] === 'string' ? [keywords[keyword]] : []));
  const absent = Array.isArray(required) && required.length > 0 ? ['missing_fields'] : [];
  const range = codes.includes('invalid_start') ? ['invalid_range'] : [];
  return [...codes, ...absent, ...range, ...Object.values(keywords).flatMap(codesOfFields)];
}
