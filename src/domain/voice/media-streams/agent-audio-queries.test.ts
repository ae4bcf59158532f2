import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testLedger } from '../../../../test/support/events.ts';
import { keepNode } from '../../../../test/support/gateway-nodes.ts';
import { type Harness, startHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { talk } from '../../../../test/support/recordings.ts';
import { legsOf } from '../../../../test/support/voice.ts';
import { askForAgentAudio, connectAgentAudio, listLostAgentAudio } from './agent-audio-queries.ts';
import { askForAudio, connectAudio } from './leg-audio-queries.ts';
import { chooseNodeNow, removeNode } from './node-queries.ts';

let harness: Harness;
before(async () => {
  harness = await startHarness({ startWorkers: false, serveMedia: false });
});
after(() => harness.close());

/** A call that needs its agent's audio, or does not. */
async function callOf({ isNeeded }: { readonly isNeeded: boolean }) {
  const ledgerId = await testLedger(harness);
  const { id: callId } = await talk(harness, await makeLine(harness));
  const [agent, customer] = await legsOf(harness, callId);
  await sql(harness.context.db, `update calls set state = jsonb_set(state, '{legs,0,isStreamed}', $2) where id = $1`, [
    callId,
    String(isNeeded),
  ]);
  return { ledger: { ledgerId }, callId, legId: agent.id as string, customerId: customer.id as string };
}

test('the audio of an agent that was wanted while no gateway was up is requested again', async () => {
  const { db } = harness.context;
  const { ledger, callId, legId } = await callOf({ isNeeded: true });
  assert.equal(await askForAgentAudio(db, ledger, { callId, legId, commandRef: 'cmd_1' }), undefined);
  const lost = { ledger_id: ledger.ledgerId, call_id: callId, leg_id: legId, is_live: true };
  assert.deepEqual(await listLostAgentAudio(db, 10), [lost]);
  await sql(db, `update calls set ended_at = now() where id = $1`, [callId]);
});

test('the audio of an agent that is not needed any more is not requested again', async () => {
  const { db } = harness.context;
  const { ledger, callId, legId } = await callOf({ isNeeded: false });
  await askForAgentAudio(db, ledger, { callId, legId, commandRef: 'cmd_1' });
  const lost = await listLostAgentAudio(db, 10);
  assert.deepEqual(
    lost.filter(({ leg_id }) => leg_id === legId),
    [],
  );
});

test('a retry of a request does not forget that the carrier has connected', async (t) => {
  const { db } = harness.context;
  await keepNode(db, 'one');
  t.after(() => removeNode(db, 'one'));
  const { ledger, callId, legId, customerId } = await callOf({ isNeeded: true });
  await chooseNodeNow(db, ledger, { callId });
  const [agent, customer] = [
    { callId, legId, commandRef: 'cmd_1' },
    { callRef: callId, commandRef: 'cmd_2' },
  ];
  for (const attempt of [1, 2]) {
    assert.equal(await askForAgentAudio(db, ledger, agent), 'one', `attempt ${attempt} for the agent`);
    assert.equal(await askForAudio(db, ledger, customer), 'one', `attempt ${attempt} for the customer`);
    if (attempt > 1) break;
    assert.ok(await connectAgentAudio(db, ledger, { callId, legId, nodeId: 'one' }));
    assert.ok(await connectAudio(db, ledger, { callId, legId: customerId, nodeId: 'one' }));
  }
  for (const table of ['agent_audio_legs', 'call_audio_nodes']) {
    const [row] = await sql(db, `select connected_at is not null as connected from ${table} where call_id = $1`, [
      callId,
    ]);
    assert.deepEqual(row, { connected: true }, table);
  }
});
