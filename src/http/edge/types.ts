import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { Context } from '../../context.ts';
import type { ErrorCode } from '../../lib/errors/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Session } from './authenticate.ts';

/** The instance that resources add their routes to. The types of requests and replies follow from the schemas. */
export type Api = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Adds the routes of one resource. */
export type RoutePlugin = (api: Api, context: Context) => void;

declare module 'fastify' {
  interface FastifyInstance {
    /** Compiles the schemas of all routes that have not been used yet. */
    compileSchemas(): void;
  }

  interface FastifyRequest {
    /** The scope of the key; set before the handler of an authenticated route runs. */
    scope: Scope;
    /** The ledger of a signed link. It replaces a key's scope, on routes that accept signed links. */
    link: { readonly ledgerId: number } | undefined;
    /** The console session of a request to the console's own API; set before the handler of such a route runs. */
    session: Session;
    /** The code of the error reply, for the log. */
    errorCode: ErrorCode | undefined;
    /** The tenant that the result names, for the request log. */
    tenantId: string | undefined;
    /** The resource in the result of a write, for the request log. */
    resourceId: string | undefined;
  }

  interface FastifyContextConfig {
    /**
     * `account`: keys of one tenant are refused (key_not_permitted). The others are for the console's own API.
     * `operator`: sessions of one account are refused (operator_required). `admin`: users with the role support or
     * viewer are refused (key_not_permitted).
     */
    access?: 'account' | 'operator' | 'admin';
    /** In the console's own API: the change is allowed while the installation is paused. */
    whilePaused?: true;
    /** A POST that changes nothing, or makes a read-only credential. Read-only keys may use it too. */
    hasNoEffect?: true;
    /** Live keys are refused (test_mode_only). */
    testOnly?: true;
    /** A signed link is accepted in place of a key (`signed-links.ts`). */
    signedLink?: true;
    /** Several requests of the route share one database statement, so a request holds no connection. */
    batched?: true;
    /**
     * Successful requests are left out of the request log. With `console`, only the requests by pages of the console
     * are.
     */
    unlogged?: true | 'console';
    /**
     * Looks up the resource of the path before a body of more than 64 KiB is read. Rejects if the resource does not
     * exist.
     */
    findFirst?: (request: FastifyRequest) => Promise<unknown>;
    /** The body is a report to the carrier connection `:connection` of the path. */
    carrierReports?: true;
    /** The route needs no key. It is open to everyone, or has another credential (a token in the query). */
    public?: true;
  }
}
