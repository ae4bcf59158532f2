/** Measures how much a cell whose database does not answer slows down the other cells. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { createCaller } from '../support/caller.ts';
import { until } from '../support/jobs.ts';
import { makeSenderAt } from '../support/product-process.ts';
import type { CellSite, CellsSite } from './cells-site.ts';

const WINDOW_MS = 8_000;
const PAIRS = 5;
const EVERY_MS = 25;
const ASKED_EVERY_MS = 250;

/**
 * The 99th percentile of texts during a stall may be this many times the percentile without a stall. The median of the
 * pairs of rounds counts.
 */
const RATIO_MAX = 1.2;

/**
 * Sends texts of the other cells, in turns with and without the last cell's database. The clients of the last cell send
 * requests all the time. Fails if a text is not answered, or the 99th percentile is longer.
 * @returns the figures
 */
export async function compareWhileStalled({ cells, proxy }: CellsSite): Promise<string[]> {
  const others = cells.slice(0, -1);
  const stalled = cells.at(-1) as CellSite;
  const senders = await Promise.all(others.map(createSender));
  const ratios: number[] = [];
  const figures: string[] = [];
  const measure = async () => percentile((await Promise.all(senders.map((send) => send(WINDOW_MS)))).flat(), 0.99);
  for (let pair = 0; pair < PAIRS; pair++) {
    const beforeMs = await measure();
    proxy.stall();
    const asking = keepAsking(stalled);
    const duringMs = await measure();
    proxy.resume();
    await asking.stop();
    const call = createCaller(stalled.url, stalled.account.test_key);
    await until('the cell is served again', async () => (await call('GET', '/v1/tenants')).status === 200, 60_000);
    ratios.push(duringMs / beforeMs);
    figures.push(`${beforeMs.toFixed(0)} and ${duringMs.toFixed(0)} ms`);
  }
  const median = percentile(ratios, 0.5);
  const line = `p99 of the others without and with a stalled cell: ${figures.join(', ')}; ratio ${median.toFixed(2)}`;
  assert.ok(median <= RATIO_MAX, line);
  return [line];
}

/** Returns a function that sends texts of a cell's account for a while. It returns the time of each in milliseconds. */
async function createSender({ url, account }: CellSite): Promise<(lastsMs: number) => Promise<number[]>> {
  const call = createCaller(url, account.test_key);
  const { numberId } = await makeSenderAt(call);
  const send = async () => {
    const startedMs = performance.now();
    const { status } = await call('POST', '/v1/messages', { body: { from: numberId, to: '+16025550170', body: 'Hi' } });
    assert.equal(status, 201);
    return performance.now() - startedMs;
  };
  return async (lastsMs) => {
    const sent: Promise<number>[] = [];
    for (const endMs = performance.now() + lastsMs; performance.now() < endMs; await pause(EVERY_MS)) sent.push(send());
    return await Promise.all(sent);
  };
}

/** Keeps sending requests of the cell's account, like clients that do not know of the stall. */
function keepAsking({ url, account }: CellSite) {
  const call = createCaller(url, account.test_key);
  const asked: Promise<unknown>[] = [];
  const timer = setInterval(() => asked.push(call('GET', '/v1/messages?limit=1')), ASKED_EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(asked);
    },
  };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? assert.fail('nothing was measured');
}
