/** The hold audio that customers hear: the audio of the routing config of the call's number. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeAfterTests } from '../../../../test/support/close-after-tests.ts';
import { testLedger } from '../../../../test/support/events.ts';
import { startHttpTarget } from '../../../../test/support/http-target.ts';
import { newPerson, read } from '../../../../test/support/messages.ts';
import { connect, useScriptedLine } from '../../../../test/support/voice.ts';
import { toneFile } from '../../../../test/support/wav-file.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { findRouting } from '../../numbers/index.ts';

const { harness, voice, tenantId, number } = await useScriptedLine();

const file = toneFile(440, 1);
const target = await startHttpTarget((_request, response) => response.end(file));
closeAfterTests(() => target.close());

const body = {
  tenant_id: tenantId,
  name: 'Music',
  open_behavior: { type: 'ring', targets: ['application'] },
  hold_audio_url: `${target.origin}/hold.wav`,
};
const { body: config } = await harness.call('POST', '/v1/routing_configs', { body });
await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, { body: { routing_config_id: config.id } });
// Runs the job that fetches the file.
await harness.advance(0);
const ledger = (await findLedger(harness.context.db, await testLedger(harness))) as Ledger;
const audioRef = (await findRouting(harness.context.db, ledger, number.id))?.holdAudioRef;

const heldWith = (id: string) =>
  voice.instructions(id).flatMap((command) => (command.do === 'hold' ? [command.audioRef] : []));

test('a customer who is put on hold hears the audio of the number', async () => {
  assert.equal((await read(harness, `/routing_configs/${config.id}`)).hold_audio_status, 'ready');
  const { id } = await connect(harness, voice, number.id);
  await harness.call('POST', `/v1/calls/${id}/hold`);
  await harness.advance(0);
  assert.deepEqual(heldWith(id), [audioRef]);
});

test('a customer who is transferred hears it too', async () => {
  const { id } = await connect(harness, voice, number.id);
  await harness.call('POST', `/v1/calls/${id}/transfer`, { body: { to: newPerson() } });
  await harness.advance(0);
  assert.deepEqual(heldWith(id), [audioRef]);
});
