import type { ApiKind } from './api-kinds.ts';
import { reference } from './components.ts';
import { describeOperation } from './describe.ts';
import { PARTIAL_REPLIES, PUBLIC_REPLY_HEADERS, REPLAY_HEADERS, REPLY_HEADERS } from './shared-parts.ts';
import type { Operation } from './types.ts';

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

export function isMethod(name: string): boolean {
  return METHODS.has(name);
}

/**
 * Completes an operation with the parts that all operations have: name, security, headers and error replies. The body
 * is required only if at least one of its fields is.
 */
export function completeOperation(
  api: ApiKind,
  { method, path }: { method: string; path: string },
  operation: Operation,
): Operation {
  const { requestBody, parameters = [], responses, ...rest } = operation;
  const isPublic = operation.security?.length === 0;
  const isPost = method === 'post';
  const ordered = [...parameters].sort((a, b) => placeOf(a) - placeOf(b));
  // Only a GET has a range (RFC 9110, 14.2).
  const isFile = method === 'get' && isFileReply(responses['200']);
  const all = [...ordered, ...api.headers(method), ...(isFile ? [reference('parameters', 'Range')] : [])];
  const headers = isPublic ? PUBLIC_REPLY_HEADERS : isPost && api.hasReplays ? REPLAY_HEADERS : REPLY_HEADERS;
  const operationId = api.operationId(method.toUpperCase(), path.slice(api.base.length));
  const text = api.texts[operationId];
  if (text === undefined) throw new Error(`${operationId} has no text: describe it in src/http/openapi/texts`);
  return {
    operationId,
    ...rest,
    ...describeOperation(api, { method, text, isFile }, operation),
    security: operation.security ?? api.security,
    ...(all.length > 0 && { parameters: all }),
    ...takenBody(requestBody),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, reply]) => [status, describeReply(reply, headers)]),
      ),
      ...(isFile && PARTIAL_REPLIES),
      ...(!isPublic && { '429': reference('responses', 'RateLimited') }),
      default: reference('responses', 'Error'),
    },
  };
}

/** True for a reply with a file. A client may request a part of a file. */
function isFileReply(reply: object | undefined): boolean {
  const types = Object.keys((reply as { content?: object } | undefined)?.content ?? {});
  return types.length > 0 && !types.includes('application/json');
}

function placeOf(parameter: object): number {
  return ['path', 'query', 'header'].indexOf((parameter as { in?: string }).in ?? 'header');
}

function describeReply(reply: object, headers: object): Readonly<Record<string, unknown>> {
  const { content } = reply as { content?: object };
  return { ...reply, description: content === undefined ? 'Done.' : 'Success.', headers };
}

/** Drops the body of an operation without fields: a client may send `{}` or nothing. A file is required. */
function takenBody(body: Operation['requestBody']): Pick<Operation, 'requestBody'> | undefined {
  if (body !== undefined && !('application/json' in body.content)) return { requestBody: { ...body, required: true } };
  const schema = body?.content['application/json']?.schema as { properties?: object; required?: string[] } | undefined;
  if (body === undefined || Object.keys(schema?.properties ?? {}).length === 0) return undefined;
  return { requestBody: { ...body, required: (schema?.required ?? []).length > 0 } };
}
