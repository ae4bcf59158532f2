import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testLedger } from '../../../../test/support/events.ts';
import { type Harness, startHarness } from '../../../../test/support/harness.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { talk } from '../../../../test/support/recordings.ts';
import { legsOf } from '../../../../test/support/voice.ts';
import { askForAgentAudio, listLostAgentAudio } from './agent-audio-queries.ts';

let harness: Harness;
before(async () => {
  harness = await startHarness({ startWorkers: false, serveMedia: false });
});
after(() => harness.close());

test('the audio of an agent that was wanted while no gateway was up is requested again', async () => {
  const { db } = harness.context;
  const ledgerId = await testLedger(harness);
  const { id: callId } = await talk(harness, await makeLine(harness));
  const legId = (await legsOf(harness, callId))[0].id as string;
  const asking = { callId, legId, commandRef: 'cmd_1' };
  assert.equal(await askForAgentAudio(db, { ledgerId }, asking), undefined);
  const lost = { ledger_id: ledgerId, call_id: callId, leg_id: legId, is_live: true };
  assert.deepEqual(await listLostAgentAudio(db, 10), [lost]);
});
