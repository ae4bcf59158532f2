import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { createCaller } from '../support/caller.ts';
import { createRandom } from '../support/fault-rules.ts';
import { makeSenderAt, registerAt, untilIdle } from '../support/product-process.ts';
import { useReceiver } from '../support/receiver.ts';
import { type CellSite, type CellsSite, openCellsSite } from './cells-site.ts';
import { compareWhileStalled } from './cells-stall.ts';
import { createCrashClient } from './crash-client.ts';
import { assertAllTaken, assertNothingLostNorTwice } from './crash-findings.ts';
import { makeLines } from './voice-crash.ts';
import { createVoiceClient } from './voice-crash-client.ts';
import { assertCallsEndedOnce, gatherOrders, watchOrders } from './voice-crash-findings.ts';
import { watchOrder } from './watch-order.ts';

export type CellsPlan = {
  /** How long texts are sent and processes are killed. */
  readonly lastsMs: number;
  /** The texts that all accounts together send in a second. */
  readonly textsPerSecond: number;
  readonly calls: number;
  /** How long all processes run between two kills, on average. */
  readonly runsForMs: number;
  /** After the last kill, all work must be done within this time. */
  readonly settleWithinMs: number;
  /** Chooses the moments of the kills, and the processes. */
  readonly seed: number;
};

/**
 * Sends texts and plays calls of three accounts in three cells, while the two processes that serve them are killed,
 * and the accounts are moved, at random moments. Fails if an acknowledged effect was lost or happened twice, or a
 * receiver got events out of order. Then stalls one cell's database.
 * @returns figures of the run, one per line
 */
export async function runCellsCrash(plan: CellsPlan): Promise<string[]> {
  const site = await openCellsSite();
  const traffics: Traffic[] = [];
  try {
    for (const cell of site.cells) traffics.push(await prepare(cell, plan, site.cells.length));
    const startedMs = performance.now();
    const playing = Promise.all(traffics.map((traffic) => traffic.play()));
    const disturbed = await disturb(site, plan);
    const sentMs = performance.now() - startedMs;
    for (const traffic of traffics) traffic.stop();
    await playing;
    await bringHome(site);
    const figures = await Promise.all(traffics.map((traffic) => traffic.judge()));
    const texts = traffics.reduce((sum, { acknowledged }) => sum + acknowledged(), 0);
    return [
      `seed ${plan.seed}: ${texts} texts acknowledged in ${seconds(sentMs)} (${Math.round((texts * 1000) / sentMs)} a second), ${disturbed.kills} kills, ${disturbed.moves} moves`,
      ...figures.flat(),
      ...(await compareWhileStalled(site)),
    ];
  } finally {
    await site.close();
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

type Traffic = {
  play(): Promise<void>;
  /** Stops sending texts. Running calls continue to their ends. */
  stop(): void;
  acknowledged(): number;
  judge(): Promise<string[]>;
};

/** Connections of a client of texts; see crash-client.ts. */
const CONNECTIONS = 16;
/** About the time of a request, which is part of the pace. */
const ANSWER_MS = 30;

/** Makes numbers and a receiver of the account of a cell, and the clients that send its texts and play its calls. */
async function prepare(cell: CellSite, plan: CellsPlan, cells: number): Promise<Traffic> {
  const { name, url, db, account } = cell;
  const key = account.test_key;
  const call = createCaller(url, key);
  await watchOrders(db);
  const receiver = await useReceiver();
  const { numberId, e164 } = await makeSenderAt(call);
  const lines = await makeLines(call);
  await registerAt(call, receiver.url);
  const order = watchOrder(receiver, ({ event }, times) => {
    const isRefused = times === 1 && Number.parseInt(event.id.slice(-2), 32) % 60 === 0;
    return { status: isRefused ? 500 : 200 };
  });
  // The bodies of all events would fill the memory.
  setInterval(() => receiver.received.splice(0), 1_000).unref();
  const perSecond = plan.textsPerSecond / cells;
  const texts = createCrashClient({
    ...{ url, key, numberId, e164 },
    sends: Math.ceil((perSecond * plan.lastsMs) / 1_000) * 2,
    pauseMs: Math.max(0, (CONNECTIONS * 1_000) / perSecond - ANSWER_MS),
  });
  const calls = createVoiceClient({
    ...{ url, key, lines, beginWithinMs: plan.lastsMs * 0.8 },
    calls: Math.ceil(plan.calls / cells),
  });
  return {
    play: async () => void (await Promise.all([texts.sendAll(), texts.toggleOptOuts(), calls.playAll()])),
    stop: () => texts.stop(),
    acknowledged: texts.acknowledged,
    judge: async () => {
      await untilIdle(db, plan.settleWithinMs);
      await assertNothingLostNorTwice(db, texts);
      await assertAllTaken(db, order);
      const found = await assertCallsEndedOnce(cell, url, calls);
      const unanswered = texts.unanswered() + calls.unanswered();
      return [
        `${name}: ${texts.acknowledged()} texts, ${unanswered} requests unanswered, ${order.taken().size} events in order (${order.arrivals()} arrivals)`,
        `${name}: ${found.join('; ')}`,
      ];
    },
  };
}

/** How long a move waits for running calls. */
const CALLS_END_WITHIN_S = 20;

/** Moves each account back to the database that its findings are read from. The records of its calls move too. */
async function bringHome({ cells, move }: CellsSite): Promise<void> {
  for (const [index, { name, db }] of cells.entries()) {
    assert.ok(await move(index, index, 60), `the account of ${name} does not come back`);
    const others = cells.filter((cell) => cell.db !== db);
    await gatherOrders(
      db,
      others.map((cell) => cell.db),
    );
  }
}

/**
 * Keeps killing processes and moving accounts, at moments that the seed chooses, until the time of the plan is over.
 */
async function disturb(
  site: CellsSite,
  { lastsMs, runsForMs, seed }: CellsPlan,
): Promise<{ kills: number; moves: number }> {
  const random = createRandom(seed);
  const endMs = performance.now() + lastsMs;
  const done = { kills: 0, moves: 0 };
  for (;;) {
    const restMs = endMs - performance.now();
    const waitMs = runsForMs * (0.3 + 1.4 * random());
    if (waitMs >= restMs) {
      await pause(Math.max(0, restMs));
      assert.ok(done.kills > 0, 'no process was killed');
      assert.ok(done.moves > 0, 'no account was moved');
      return done;
    }
    await pause(waitMs);
    if (random() < 0.5) {
      await site.restart(Math.floor(random() * site.processes));
      done.kills++;
    } else {
      const [account, to] = [random(), random()].map((each) => Math.floor(each * site.cells.length)) as [
        number,
        number,
      ];
      if (await site.move(account, to, CALLS_END_WITHIN_S)) done.moves++;
    }
  }
}
