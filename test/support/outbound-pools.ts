/** Outbound pools that may send requests to loopback, and targets for them. Each lasts for one test. */
import type { TestContext } from 'node:test';
import { createOutboundPools, type OutboundPoolOptions, type OutboundPools } from '../../src/outbound/pools.ts';
import { type HttpTarget, startHttpTarget } from './http-target.ts';

/** A request without an address, which the test adds. */
export const POST = { method: 'POST', body: '{}', timeoutMs: 5_000, maxResponseBytes: 1_024 };

/** Makes pools, and destroys them after the test. */
export function poolsFor(t: TestContext, options: Partial<OutboundPoolOptions> = {}): OutboundPools {
  const pools = createOutboundPools({ allowLoopback: true, ...options });
  t.after(() => pools.destroy());
  return pools;
}

/** Starts a target, and closes it after the test. */
export async function targetFor(t: TestContext, ...args: Parameters<typeof startHttpTarget>): Promise<HttpTarget> {
  const target = await startHttpTarget(...args);
  t.after(() => target.close());
  return target;
}
