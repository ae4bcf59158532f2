import { reference } from './components.ts';
import { operationIdOf } from './operation-ids.ts';
import { PUBLIC_REPLY_HEADERS, REPLAY_HEADERS, REPLY_HEADERS } from './shared-parts.ts';
import type { Operation } from './types.ts';

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

export function isMethod(name: string): boolean {
  return METHODS.has(name);
}

/**
 * Completes an operation with the parts that all operations have: its name, security, headers and error replies. Its
 * body is required only if one of the body's fields is.
 */
export function completeOperation(method: string, path: string, operation: Operation): Operation {
  const { requestBody, parameters = [], responses, ...rest } = operation;
  const isPublic = operation.security?.length === 0;
  const isPost = method === 'post';
  const ordered = [...parameters].sort((a, b) => placeOf(a) - placeOf(b));
  const all = isPost ? [...ordered, reference('parameters', 'IdempotencyKey')] : ordered;
  const headers = isPublic ? PUBLIC_REPLY_HEADERS : isPost ? REPLAY_HEADERS : REPLY_HEADERS;
  return {
    operationId: operationIdOf(method.toUpperCase(), path.replace(/^\/v1/, '')),
    ...rest,
    security: operation.security ?? [{ key: [] }],
    ...(all.length > 0 && { parameters: all }),
    ...takenBody(requestBody),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, reply]) => [status, describeReply(reply, headers)]),
      ),
      ...(!isPublic && { '429': reference('responses', 'RateLimited') }),
      default: reference('responses', 'Error'),
    },
  };
}

function placeOf(parameter: object): number {
  return ['path', 'query', 'header'].indexOf((parameter as { in?: string }).in ?? 'header');
}

function describeReply(reply: object, headers: object): Readonly<Record<string, unknown>> {
  const { content } = reply as { content?: object };
  return { ...reply, description: content === undefined ? 'Done.' : 'Success.', headers };
}

/** Drops the body of an operation without fields; `{}` is accepted but need not be sent. A file is required. */
function takenBody(body: Operation['requestBody']): Pick<Operation, 'requestBody'> | undefined {
  if (body !== undefined && !('application/json' in body.content)) return { requestBody: { ...body, required: true } };
  const schema = body?.content['application/json']?.schema as { properties?: object; required?: string[] } | undefined;
  if (body === undefined || Object.keys(schema?.properties ?? {}).length === 0) return undefined;
  return { requestBody: { ...body, required: (schema?.required ?? []).length > 0 } };
}
