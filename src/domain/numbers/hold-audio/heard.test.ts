/** The audio that the customer of a test call hears on hold, taken from the recording. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeAfterTests } from '../../../../test/support/close-after-tests.ts';
import { startHttpTarget } from '../../../../test/support/http-target.ts';
import { useLine } from '../../../../test/support/numbers.ts';
import { listen, stretch, talk } from '../../../../test/support/recordings.ts';
import { powerAt, powerOf } from '../../../../test/support/tone-power.ts';
import { toneFile } from '../../../../test/support/wav-file.ts';

const HZ = 1_500;
const { harness, line, tenantId, number } = await useLine({ startWorkers: false });
const file = toneFile(HZ, 3, { rateHz: 44_100, channels: 2 });
const target = await startHttpTarget((_request, response) => response.end(file));
closeAfterTests(() => target.close());

test("a customer on hold hears the file of the number's routing config", async () => {
  const open_behavior = { type: 'ring', targets: ['+16025550143'] };
  const body = { tenant_id: tenantId, name: 'Music', open_behavior, hold_audio_url: `${target.origin}/hold.wav` };
  const { body: config } = await harness.call('POST', '/v1/routing_configs', { body });
  await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, { body: { routing_config_id: config.id } });
  const { id } = await talk(harness, line, { record: true });
  await harness.advance(5);
  const held = await harness.call('POST', `/v1/calls/${id}/hold`);
  assert.equal(held.status, 200, JSON.stringify(held.body));
  await harness.advance(10);
  await harness.call('POST', `/v1/calls/${id}/hangup`);
  await harness.advance(10);
  const { recording_id } = (await harness.call('GET', `/v1/calls/${id}`)).body;
  const pcm = await listen(harness, `/v1/recordings/${recording_id}/audio`);
  // The end of the recording is on hold, for longer than the file lasts.
  const window = stretch(pcm.length / 8 - 6_000, pcm.length / 8 - 1_000);
  assert.ok(powerAt(pcm, HZ, window) > 0.3 * powerOf(pcm, window), 'the file is not heard');
});
