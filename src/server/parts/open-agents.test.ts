import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playParty } from '../../../test/support/calls.ts';
import { testLedger } from '../../../test/support/events.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { makeLine } from '../../../test/support/numbers.ts';
import { talk } from '../../../test/support/recordings.ts';
import { skip } from '../../../test/support/stepping-time.ts';
import { createSimulatedSpeechToText } from '../../carriers/simulated/voice/index.ts';
import { createAgentServices } from './open-agents.ts';

const harness = await useHarness();

test('the first words of a customer are understood, however long the database takes to say the time', async () => {
  const { context } = harness;
  const { db } = context;
  const ledgerId = await testLedger(harness);
  const { id: callId } = await talk(harness, await makeLine(harness));
  await playParty(harness, callId, 'speech', { speaker: 'customer', text: 'Hello?' });
  const slow: typeof db = {
    ...db,
    query: async (statement, values) => {
      await skip(5_000);
      return await db.query(statement, values);
    },
  };
  const toText = () => createSimulatedSpeechToText(db);
  const liveToText = () => undefined;
  const agentVoice = () => assert.fail('nobody speaks');
  const services = createAgentServices({ ...context, db: slow }, { toText, liveToText, agentVoice });
  const heard = { audio: new Uint8Array(160), afterMs: 2_000, isFirst: true, endedMs: 0, language: 'en-US' };
  const how = { signal: new AbortController().signal };
  assert.equal(await services.recognize({ ledgerId, callId }, heard, how), 'Hello?');
});
