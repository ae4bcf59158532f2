/** The package on Cloudflare Workers: their runtime, workerd, runs here. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../test/support/events.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import { makeLine } from '../../../test/support/numbers.ts';
import { missing } from '../../../test/support/programs.ts';
import { reachStatus } from '../../../test/support/streams.ts';
import { place } from '../../../test/support/voice.ts';
import { callAgent } from '../src/testing.ts';
import { installPackage } from './support/built-package.ts';
import { startWorker } from './support/workerd.ts';

const noWorkerd = missing('workerd');

const harness = await useHarness();
const { number } = await makeLine(harness);
const bindings = { API_KEY: harness.account.test_key, BASE_URL: harness.url };
// Building it takes seconds.
const project = noWorkerd === false ? await installPackage() : undefined;

for (const compatibilityDate of ['2021-11-03', '2026-11-01']) {
  const started = project === undefined ? '' : await startWorker(project, { compatibilityDate, bindings });

  test(`of ${compatibilityDate}: createRelay answers, streams, is interrupted and hands over`, {
    skip: noWorkerd,
  }, async () => {
    const caller = await callAgent(`ws://${started}/`, { setup: { customParameters: { name: 'Maria' } } });
    await caller.expectHeard('Hello Maria, how can I help you?');
    await caller.say('Are you open?');
    await caller.expectHeard('You said: Are you open?');
    const counting = caller.say('Count.');
    await caller.expectHeard('3. ');
    assert.equal(caller.interrupt('1. 2. '), true);
    await counting;
    await caller.say('What was that?');
    await caller.expectHeard('stopped: The customer has gone on.,heard: 1. 2. ');
    await caller.press('5');
    assert.deepEqual(await caller.ended(), { reason: 'agent_ended', handoffData: '{"digit":"5"}' });
  });

  test(`of ${compatibilityDate}: the client calls the API with its key`, { skip: noWorkerd }, async () => {
    const reply = await fetch(`http://${started}/tenants`);
    const { body } = await harness.call('GET', '/v1/tenants');
    assert.equal(reply.status, 200, await reply.clone().text());
    assert.deepEqual(
      await reply.json(),
      body.data.map(({ name }: Json) => name),
    );
    assert.ok(body.data.length > 0);
  });

  test(`of ${compatibilityDate}: the agent answers a call`, { skip: noWorkerd }, async () => {
    const { id } = await place(harness, number.id);
    await reachStatus(harness, id, 'in_progress');
    const relay = { url: `ws://${started}/`, parameters: { name: 'Maria' } };
    assert.equal((await harness.call('POST', `/v1/calls/${id}/relay`, { body: relay })).status, 201);
    const read = async () => (await harness.call('GET', `/v1/calls/${id}/relay`)).body;
    await until('the agent is connected', async () => (await read()).status === 'active');
    await harness.call('POST', `/v1/test/calls/${id}/dtmf`, { body: { digits: '7', party: 'customer' } });
    await until('the agent has handed over', async () => (await read()).status === 'ended');
    const { reason, handoff_data } = await read();
    assert.deepEqual([reason, handoff_data], ['agent_ended', '{"digit":"7"}']);
  });
}
