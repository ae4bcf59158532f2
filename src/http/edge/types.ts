import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { Context } from '../../context.ts';
import type { ErrorCode } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';

/** The instance that resources add their routes to: request and reply types follow from the schemas. */
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
    compileSchemas(): Promise<void>;
  }

  interface FastifyRequest {
    /** Who asks; set before any handler of an authenticated route runs. */
    scope: Scope;
    /** What a signed link opens, in place of a key's scope; only on routes that take one. */
    link: { readonly ledgerId: number } | undefined;
    /** The code of the error reply, for the log. */
    errorCode: ErrorCode | undefined;
  }

  interface FastifyContextConfig {
    /** `account`: keys of one tenant are refused (key_not_permitted). */
    access?: 'account';
    /** Live keys are refused (test_mode_only). */
    testOnly?: true;
    /** A signed link stands for a key (`signed-links.ts`). */
    signedLink?: true;
    /** Its calls share statements with each other and hold no database connection each. */
    batched?: true;
    /** The route carries its own credential (a token in the query). */
    public?: true;
  }
}
