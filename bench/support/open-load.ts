/**
 * Sends requests at a steady rate, without waiting for answers. Latencies count from the scheduled time of each
 * request.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../../test/support/caller.ts';
import { percentile } from './postgres.ts';

export type Ask = { readonly name: string; readonly send: () => ReturnType<Caller> };
export type Latencies = {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
};

/** @returns latencies by the name of the request; the latencies of all requests are under `all` */
export async function loadSteadily(
  perSecond: number,
  seconds: number,
  next: (index: number) => Ask,
): Promise<Map<string, Latencies>> {
  const taken: { name: string; ms: number }[] = [];
  const startMs = performance.now();
  const underWay: Promise<void>[] = [];
  for (let index = 0; index < perSecond * seconds; index++) {
    const dueMs = startMs + (index * 1000) / perSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const { name, send } = next(index);
    underWay.push(
      send().then(({ status, body }) => {
        if (status >= 300) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
        taken.push({ name, ms: performance.now() - dueMs });
      }),
    );
  }
  await Promise.all(underWay);
  const byName = Map.groupBy(taken, ({ name }) => name);
  return new Map([...byName, ['all', taken] as const].map(([name, own]) => [name, sumUp(own.map(({ ms }) => ms))]));
}

function sumUp(latencies: number[]): Latencies {
  const sorted = latencies.sort((a, b) => a - b);
  const at = (share: number) => percentile(sorted, share);
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}
