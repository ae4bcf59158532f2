import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startFakeEngine } from '../../../test/support/fake-engine.ts';
import { silentLog } from '../../../test/support/jobs.ts';
import { skippedBy, sleep } from '../../../test/support/stepping-time.ts';
import { createEngineClient } from './ari-client.ts';
import { openEventSocket } from './event-socket.ts';

/** Every 5 s the engine is asked whether it works. It has half a second less to answer. */
const NOTICED_MS_MAX = 9_500;

async function openSocket(t: TestContext) {
  const engine = await startFakeEngine();
  t.after(engine.close);
  const client = createEngineClient({
    ...{ name: 'a', url: engine.url, password: 'p', connection: 'ccn_a', log: silentLog },
  });
  t.after(client.close);
  const socket = await openEventSocket({ client, log: silentLog, onEvent: () => undefined });
  t.after(socket.close);
  return { engine, socket };
}

for (const answeredMs of [0, 4_900, 60_000])
  test(`an engine that stops answering ${answeredMs} ms after its socket opened is given up within 9.5 s`, async (t) => {
    const { engine, socket } = await openSocket(t);
    await sleep(answeredMs);
    assert.equal(engine.open(), 1);
    engine.isMute = true;
    const noticedMs = await skippedBy(socket.closed);
    assert.ok(noticedMs > 0 && noticedMs <= NOTICED_MS_MAX, `given up after ${noticedMs} ms`);
  });
