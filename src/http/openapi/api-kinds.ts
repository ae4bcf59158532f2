/** The two APIs that have a document: the public API, and the console's own API. */
import type { ErrorCode } from '../../lib/errors/errors.ts';
import { reference } from './components.ts';
import { operationIdOf } from './operation-ids.ts';
import { CONSOLE_TEXTS } from './texts/console.ts';
import { OPERATION_TEXTS, type OperationTexts } from './texts/index.ts';
import type { Operation, Referable } from './types.ts';

/** The codes that any request with a body can cause. */
const WITH_BODY: readonly ErrorCode[] = ['invalid_json', 'unreadable_body', 'unsupported_media_type'];

/** The common parts of all operations of an API. */
export type ApiKind = {
  /** The prefix of the paths of all its routes. */
  readonly base: string;
  readonly texts: OperationTexts;
  /** The security of an operation that is not public. */
  readonly security: Record<string, string[]>[];
  /** Error codes by kind of request: any request, any request that is not public, any change, and any POST. */
  readonly errors: {
    readonly always: readonly ErrorCode[];
    readonly authenticated: readonly ErrorCode[];
    readonly change: readonly ErrorCode[];
    readonly post: readonly ErrorCode[];
  };
  operationId(method: string, path: string): string;
  /** Returns a sentence about the credential that the operation needs. */
  needs(operation: Operation): string;
  /** Returns the headers that a request with the method has. */
  headers(method: string): readonly Referable[];
  /** True if a repeated POST may get the first reply again. */
  readonly hasReplays: boolean;
};

export const PUBLIC_API: ApiKind = {
  base: '/v1',
  texts: OPERATION_TEXTS,
  security: [{ key: [] }],
  errors: {
    always: ['internal_error'],
    authenticated: [
      'missing_api_key',
      'malformed_authorization',
      'invalid_api_key',
      'account_suspended',
      'rate_limited',
      'invalid_body',
      'database_unavailable',
    ],
    change: [...WITH_BODY, 'service_paused', 'key_not_permitted'],
    post: ['idempotency_key_reuse', 'idempotency_in_progress'],
  },
  operationId: operationIdOf,
  needs: (operation) => {
    if (operation.security?.length === 0) return 'Needs no key.';
    const kind = operation['x-key-mode'] === 'test' ? 'a test key' : 'a key';
    if (operation['x-key-access'] === 'account') return `Needs ${kind} of the account; a key of one tenant is refused.`;
    return `Needs ${kind} of the account or of the tenant.`;
  },
  headers: (method) => (method === 'post' ? [reference('parameters', 'IdempotencyKey')] : []),
  hasReplays: true,
};

/** Replacements for names that would read badly. */
const CONSOLE_IDS: Readonly<Record<string, string>> = {
  'POST /session': 'signIn',
  'DELETE /session': 'signOut',
  'POST /settled_notices': 'settleNotice',
  'DELETE /settled_notices': 'reopenNotice',
  'DELETE /sessions/{session_id}': 'revokeSession',
  'POST /users/{user_id}/sign_in_link': 'createSignInLink',
  'GET /sign_in_options': 'getSignInOptions',
  'GET /queues': 'getQueues',
  'POST /speech': 'speak',
  'GET /openapi.json': 'getOpenapiJson',
};

export const CONSOLE_API_KIND: ApiKind = {
  base: '/console/api',
  texts: CONSOLE_TEXTS,
  security: [{ session: [] }],
  errors: {
    always: ['internal_error', 'cross_site_request'],
    authenticated: ['not_signed_in', 'rate_limited', 'invalid_body', 'database_unavailable'],
    change: [...WITH_BODY, 'invalid_body', 'database_unavailable', 'service_paused'],
    post: [],
  },
  operationId: (method, path) => CONSOLE_IDS[`${method} ${path}`] ?? operationIdOf(method, path),
  needs: (operation) => {
    if (operation.security?.length === 0) return 'Needs no session.';
    if (operation['x-session-role'] === 'operator') return 'Needs the session of an operator.';
    if (operation['x-session-role'] === 'admin') return 'Needs the session of an operator or of an admin.';
    return 'Needs a session.';
  },
  headers: (method) => (method === 'get' ? [] : [reference('parameters', 'Console')]),
  hasReplays: false,
};
