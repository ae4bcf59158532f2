import type { ErrorCode } from '../../src/lib/errors/errors.ts';
import type { Json } from '../support/events.ts';
import type { World } from './world.ts';

export type Request = {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, Json>;
  /** In place of a body in JSON. */
  file?: Uint8Array;
};

/** Operations that reply whether a request would be refused: a refusal is a success here. */
export const CHECKS: ReadonlySet<string> = new Set(['POST /v1/messages/check', 'POST /v1/calls/check']);

export type Fixture = {
  /**
   * Makes a request that succeeds with the world's key and uses only resources of that world; a new one at each call.
   */
  make(world: World): Promise<Request>;
  /**
   * Every field that names a resource (`path.tenant_id`, `body.from`), with the code if the key's ledger does not have
   * the resource; null if an unknown resource is no mistake.
   */
  refs?: Readonly<Record<string, ErrorCode | null>>;
  /** True if making the request changes the whole ledger for a moment. No other request is made then. */
  alone?: true;
  /** For lists: makes an item, and returns a text that the list contains afterwards. */
  row?(world: World): Promise<string>;
};
