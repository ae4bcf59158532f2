/** A request that is refused with a certain error code. */
import type { CallOptions } from '../support/caller.ts';
import type { Worlds } from './world.ts';

export type Provocation = CallOptions & {
  method: string;
  path: string;
  /** The expected `param`. If this is absent, the envelope must have no `param`. */
  param?: string;
  /** The status, if it differs from the catalogue's. */
  status?: number;
};

/** Makes the resources that the request needs, and returns the request. */
export type Provoke = (place: Worlds) => Provocation | Promise<Provocation>;

export const get = (path: string, rest: Partial<Provocation> = {}): Provocation => ({ method: 'GET', path, ...rest });
export const post = (path: string, body: unknown, rest: Partial<Provocation> = {}): Provocation => ({
  method: 'POST',
  path,
  body,
  ...rest,
});
