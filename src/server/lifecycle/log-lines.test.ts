/** The log lines of a running product for its operator. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { type Json, register } from '../../../test/support/events.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import { useReceiver } from '../../../test/support/receiver.ts';
import { skip } from '../../../test/support/stepping-time.ts';
import { drainAudio } from './lifecycle.ts';

const lines: Json[] = [];
const log = pino({ level: 'debug' }, { write: (line) => void lines.push(JSON.parse(line)) });
const [INFO, DEBUG] = [30, 20];
const linesOf = (msg: string) => lines.filter((line) => line.msg === msg);

const harness = await useHarness({ log });
const receiver = await useReceiver();

test('a request is logged as info, and a probe for debugging only', async () => {
  for (const path of ['/v1/tenants', '/healthz', '/readyz', '/metrics']) await harness.call('GET', path);
  const levelOf = (route: string) => linesOf('request').find((line) => line.route === route)?.level;
  await until('the last reply is logged', () => levelOf('/metrics') !== undefined);
  const levels = ['/v1/tenants', '/healthz', '/readyz', '/metrics'].map(levelOf);
  assert.deepEqual(levels, [INFO, DEBUG, DEBUG, DEBUG]);
});

test('a failed webhook attempt is logged by its ids, with the status and the time until the next', async () => {
  receiver.answer({ status: 503 });
  const endpoint = await register(harness, { url: receiver.url });
  const { body: tenant } = await harness.call('POST', '/v1/tenants', { body: { name: 'Desert Dental' } });
  const optOut = { tenant_id: tenant.id, external_number: '+16025550137' };
  await harness.call('POST', '/v1/opt_outs', { body: optOut });
  await until('the attempt is logged', () => linesOf('webhook attempt failed').length > 0);
  const line = linesOf('webhook attempt failed')[0];
  const { level, part, type, event, attempt, status } = line;
  const expected = [INFO, 'webhooks', 'opt_out.created', receiver.received[0]?.event.id, 1, 503];
  assert.deepEqual([level, part, type, event, attempt, status], expected);
  assert.equal(line.endpoint, endpoint.id);
  assert.ok(line.retry_in_ms > 0);
  const text = JSON.stringify(line);
  for (const secret of [receiver.url, optOut.external_number]) assert.ok(!text.includes(secret), 'ids only');
  receiver.answer({});
});

test('a drain logs what it waits for, repeats that every 30 s, and logs its end', async () => {
  const ended = Promise.withResolvers<void>();
  // Stands for a gateway with audio. Real audio would have to play for a minute.
  const load = { streams: 1, ingests: 0, relays: 0, web_clients: 0 };
  const gateway = { load: () => load, drain: () => ended.promise };
  const drained = drainAudio({ gateway }, log, 600_000);
  const first = 'waiting for the audio of running calls';
  assert.deepEqual(
    linesOf(first).map(({ level, streams }) => [level, streams]),
    [[INFO, 1]],
  );
  for (const count of [1, 2]) {
    await skip(30_000);
    assert.equal(linesOf(`still ${first}`).length, count);
  }
  assert.equal(linesOf('the audio of this node has ended').length, 0);
  ended.resolve();
  await drained;
  assert.equal(linesOf('the audio of this node has ended').length, 1);
});
