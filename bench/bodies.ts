/**
 * Measures how long one request can hold the server. For each operation with a body it makes the worst bodies that the
 * OpenAPI document and the operation's limit allow: the largest valid texts and lists, lists that are too long, wrong
 * values everywhere, deep nesting, many unknown fields, texts of one long word. For each kind of body it prints the
 * operation that holds the event loop longest. Of several runs on a warm process the shortest counts, because other
 * programs on the machine can only lengthen a run.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { bodyBytesMax, keyedRoutes, type Route } from '../test/contract/document.ts';
import { fixtureOf } from '../test/contract/fixtures.ts';
import { pathOf } from '../test/contract/requests.ts';
import { createWorld, type World } from '../test/contract/world.ts';
import { startHarness } from '../test/support/harness.ts';
import { startReceiver } from '../test/support/receiver.ts';
import { scriptVoice } from '../test/support/voice.ts';
import { startBenchPostgres } from './support/postgres.ts';
import { load } from './support/processes.ts';
import { BODY_KINDS, type BodyKind, makeBody } from './support/worst-bodies.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, operation: { type: 'string', default: '' } },
});
const RUNS = Number(values.runs);
const TARGET_MS = 20;
/** Runs all due work of the ledger. Here that is the work of the calls that the benchmark has made. */
const CLOCK = '/v1/test/clock';
/** The monitor wakes at this interval. Even without load it reports a delay of this length. */
const RESOLUTION_MS = 1;
/** A pause until the event loop is idle. Without it, the delay of one request would count for the next. */
const REST_MS = 5;

type Measured = { kind: BodyKind; name: string; bytes: number; status: number; replyBytes: number; holdMs: number };

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

async function measure(world: World, route: Route, kind: BodyKind): Promise<Measured> {
  const holds: number[] = [];
  let last = { bytes: 0, status: 0, replyBytes: 0 };
  let request = await fixtureOf(route).make(world);
  // The first run compiles and is not counted.
  for (let run = 0; run <= RUNS; run++) {
    // Requests with all other kinds of bodies are refused, so they can be sent again.
    if (run > 0 && kind === 'largest') request = await fixtureOf(route).make(world);
    const { path, body: valid = {} } = request;
    const body = Buffer.from(makeBody(kind, { schema: route.body ?? {}, valid, bytesMax: bodyBytesMax(route) }));
    const url = `${world.harness.url}${pathOf(route, path === undefined ? {} : { path })}`;
    const headers = { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' };
    await pause(REST_MS);
    delay.reset();
    delay.enable();
    await turn();
    const reply = await fetch(url, { method: route.method, headers, body });
    const text = await reply.text();
    await pause(REST_MS);
    delay.disable();
    if (run > 0) holds.push(delay.max / 1e6 - RESOLUTION_MS);
    last = { bytes: body.length, status: reply.status, replyBytes: text.length };
  }
  return { kind, name: route.name, holdMs: Math.min(...holds), ...last };
}

const postgres = await startBenchPostgres();
const receiver = await startReceiver();
const harness = await startHarness({ databaseUrl: postgres.url, startWorkers: false });
try {
  await scriptVoice(harness);
  const world = await createWorld(harness, receiver, harness.account);
  const routes = keyedRoutes.filter(
    ({ body, path, name }) => body !== undefined && path !== CLOCK && name.includes(values.operation),
  );
  const measured: Measured[] = [];
  for (const route of routes) for (const kind of BODY_KINDS) measured.push(await measure(world, route, kind));
  console.log(`${routes.length} operations, ${load()}, target at most ${TARGET_MS} ms`);
  for (const kind of BODY_KINDS) {
    const [worst] = measured.filter((each) => each.kind === kind).sort((a, b) => b.holdMs - a.holdMs);
    if (worst === undefined) continue;
    const { name, bytes, status, replyBytes, holdMs } = worst;
    console.log(
      `${kind.padEnd(16)} ${holdMs.toFixed(1).padStart(6)} ms  ${name}, ${bytes} bytes, ${status}, reply of ${replyBytes} bytes`,
    );
  }
  if (measured.some(({ holdMs }) => holdMs > TARGET_MS)) process.exitCode = 1;
} finally {
  await harness.close();
  await receiver.close();
  await postgres.stop();
}
