import type { FastifyReply, FastifyRequest } from 'fastify';
import { ledgerTargetOf } from '../console/ledger-path.ts';
import { KEY_CHARS_MAX } from '../writes/idempotency.ts';
import { methodOf } from './observe.ts';
import { noteResult, tenantOf } from './request-tenant.ts';
import type { Api } from './types.ts';

/**
 * The fields of a request in the request log. They include no body, no query, and no header except the Idempotency-Key.
 */
export type RequestRecord = {
  readonly ledgerId: number;
  readonly id: string;
  /** When the request arrived, in milliseconds since the epoch. */
  readonly createdMs: number;
  readonly method: string;
  readonly path: string;
  /** The path in the form of the OpenAPI document; null for a path that does not exist. */
  readonly route: string | null;
  readonly status: number;
  readonly errorCode: string | null;
  readonly durationMs: number;
  readonly keyId: string;
  readonly tenantId: string | null;
  /** The resource that a write has made or changed. It is read from the reply. */
  readonly resourceId: string | null;
  readonly idempotencyKey: string | null;
  /** True if the reply was stored by an earlier request. */
  readonly isReplay: boolean;
};

/** Receives the requests for the request log. It returns immediately and never throws. */
export type RequestSink = { add(record: RequestRecord): void };

type Options = { readonly sink: RequestSink; readonly now: () => number };

/** The User-Agent of the program's commands for developers begins with this. */
const POLLING_AGENT = 'dialplane-cli/';

/**
 * Passes each answered request with a valid key or console session to the sink. Leaves out successful GET requests that
 * read the log, and those of the CLI and the console. They follow the log and would fill it. Leaves out automatic
 * requests of console pages too (`unlogged: 'console'`).
 */
export function recordRequests(app: Api, { sink, now }: Options): void {
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    noteResult(request, payload);
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (request.scope !== null && request.scope !== undefined && !isPoll(request, reply)) {
      sink.add(recordOf(request, reply, now()));
    }
    done();
  });
}

function isPoll({ method, headers, raw, routeOptions }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  if (statusCode >= 400) return false;
  const { unlogged } = routeOptions.config;
  if (ledgerTargetOf(raw) !== undefined && (method === 'GET' || unlogged === 'console')) return true;
  if (method !== 'GET') return false;
  if (unlogged === true) return true;
  return headers['user-agent']?.startsWith(POLLING_AGENT) === true;
}

function recordOf(request: FastifyRequest, reply: FastifyReply, nowMs: number): RequestRecord {
  const { scope, headers } = request;
  const durationMs = Math.round(reply.elapsedTime * 10) / 10;
  const key = headers['idempotency-key'];
  return {
    ledgerId: scope.ledgerId,
    id: request.id,
    createdMs: nowMs - durationMs,
    method: methodOf(request),
    path: maskPath(request.url),
    route: routeOf(request),
    status: reply.statusCode,
    errorCode: request.errorCode ?? null,
    durationMs,
    keyId: scope.keyId,
    tenantId: scope.tenantId ?? tenantOf(request) ?? null,
    resourceId: request.errorCode === undefined ? (request.resourceId ?? null) : null,
    idempotencyKey: key === undefined ? null : String(key).trim().slice(0, KEY_CHARS_MAX),
    isReplay: reply.hasHeader('idempotent-replayed'),
  };
}

const routes = new Map<string, string>();

function routeOf({ routeOptions: { url } }: FastifyRequest): string | null {
  if (url === undefined) return null;
  const known = routes.get(url);
  if (known !== undefined) return known;
  const route = url.replaceAll(/:(\w+)/g, '{$1}');
  routes.set(url, route);
  return route;
}

const PATH_CHARS_MAX = 500;
/** Matches a part of a path that is a phone number, except its last four digits. */
const PHONE_NUMBER = /(?<=\/)(?:\+|%2b|%20)?\d{3,11}(?=\d{4}(?:\/|$))/gi;
/** A key or token in a place where an id belongs. */
const KEY = /svc(bs)?_(live|test)_[^/]+/g;

/** Returns the path of a URL without its query. Phone numbers and keys in it are masked. */
function maskPath(url: string): string {
  const end = url.indexOf('?');
  const path = (end === -1 ? url : url.slice(0, end)).slice(0, PATH_CHARS_MAX);
  return path.replace(PHONE_NUMBER, '***').replace(KEY, 'svc$1_$2_***');
}
