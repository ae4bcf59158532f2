import type { ErrorCode } from '../../src/lib/errors/errors.ts';
import type { Json } from '../support/events.ts';
import type { World } from './world.ts';

export type Request = {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, Json>;
  /** A file, in place of a JSON body. */
  file?: Uint8Array;
};

/** Operations that reply whether a request would be refused. For them a refusal is a success. */
export const CHECKS: ReadonlySet<string> = new Set(['POST /v1/messages/check', 'POST /v1/calls/check']);

export type Fixture = {
  /**
   * Makes a request that succeeds with the world's key and uses only resources of that world. Each call makes a new
   * request.
   */
  make(world: World): Promise<Request>;
  /**
   * Every field that names a resource (`path.tenant_id`, `body.from`). Its value is the error code if the key's ledger
   * does not have the resource; null if an unknown resource is allowed.
   */
  refs?: Readonly<Record<string, ErrorCode | null>>;
  /** True if the request changes the whole ledger for a moment. Other requests wait then. */
  alone?: true;
  /** For lists: makes an item, and returns a text that the list contains afterwards. */
  row?(world: World): Promise<string>;
};
