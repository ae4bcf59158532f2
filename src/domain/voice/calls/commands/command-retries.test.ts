import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testLedger } from '../../../../../test/support/events.ts';
import { gate, silentLog, sql, until } from '../../../../../test/support/jobs.ts';
import { read } from '../../../../../test/support/messages.ts';
import { connect, legsOf, place, ring, useScriptedLine } from '../../../../../test/support/voice.ts';
import type { VoiceInstruction } from '../../../../carriers/ports/voice.ts';
import { openDatabase } from '../../../../db/database.ts';
import { runLedgerDue } from '../../../../test-clock/run-due.ts';
import { stepCall } from '../execution/executor.ts';

const { harness, voice, number } = await useScriptedLine();

const isLaneLeft = async (id: string) =>
  (await sql(harness.context.db, 'select 1 from lanes where lane_key = $1', [id])).length > 0;

test('while a hang-up is retried, commands to other legs go out at once, and its retries keep their times', async () => {
  const { id } = await connect(harness, voice, number.id);
  const [agent] = await legsOf(harness, id);
  await harness.advance(0);
  const isOfAgent = (command: VoiceInstruction) => command.do === 'hang_up' && command.legRef === agent.id;
  voice.answer = ({ instruction }) => ({ outcome: isOfAgent(instruction) ? 'unavailable' : 'accepted' });
  const ledgerId = await testLedger(harness);
  const also = { do: 'hang_up', legRef: agent.id, reason: 'ended' } as const;
  // In its lane, this target has lost the race.
  await sql(
    harness.context.db,
    `with put as (insert into call_commands (ledger_id, call_id, position, command) values ($1, $2, 900, $3))
     insert into lanes (ledger_id, kind, group_id, lane_key, pending, run_at) values ($1, 'call', $1::text, $2, 1, now())`,
    [ledgerId, id, JSON.stringify(also)],
  );
  await harness.advance(60);
  const tries = () => voice.instructions(id).filter(isOfAgent).length;
  const before = tries();
  const sent = await harness.call('POST', `/v1/calls/${id}/dtmf`, { body: { digits: '5' } });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  await harness.advance(0);
  assert.equal(voice.instructions(id).at(-1)?.do, 'send_digits');
  assert.equal(tries(), before);
  assert.ok(await isLaneLeft(id));
  await harness.advance(31);
  assert.ok(tries() > before);
  voice.answer = () => ({ outcome: 'accepted' });
  await harness.advance(31);
  assert.ok(!(await isLaneLeft(id)));
});

test('commands of another process go out while the carrier has one to another leg', async () => {
  const { id } = await connect(harness, voice, number.id);
  await harness.advance(0);
  const answer = gate();
  voice.answer = async ({ instruction }) => {
    if (instruction.do === 'send_digits') await answer.opened;
    return { outcome: 'accepted' };
  };
  await harness.call('POST', `/v1/calls/${id}/dtmf`, { body: { digits: '5' } });
  const ledgerId = await testLedger(harness);
  const running = runLedgerDue(harness.workers.ledgerWork, ledgerId);
  const other = openDatabase({ url: harness.databaseUrl, connectionsMax: 2, log: silentLog });
  try {
    await until('the digits are out', () => voice.instructions(id).at(-1)?.do === 'send_digits');
    await other.transaction((tx) => stepCall(tx, { ledgerId }, id, [{ type: 'hang_up' }]));
    await until('the agent is hung up', () => voice.instructions(id).at(-1)?.do === 'hang_up');
    const hungUp = voice.instructions(id).filter((command) => command.do === 'hang_up');
    assert.equal(hungUp.length, 1, 'the customer still has its digits');
  } finally {
    answer.open();
    await running;
    await other.close();
    voice.answer = () => ({ outcome: 'accepted' });
  }
  await harness.advance(0);
  assert.equal(voice.instructions(id).filter((command) => command.do === 'hang_up').length, 2);
});

test('a caller whose answer is not reported is greeted after 5 s, and a late report changes nothing', async () => {
  voice.reportsAnswers = false;
  const { id, legRef } = await ring(voice, number.phone_number);
  await harness.advance(0);
  assert.deepEqual(
    voice.instructions(id).map((command) => command.do),
    ['answer'],
  );
  assert.deepEqual((await read(harness, `/calls/${id}`)).status, 'ringing');
  await harness.advance(2);
  assert.equal(voice.instructions(id).length, 1);
  await harness.advance(4);
  voice.reportsAnswers = true;
  assert.equal(voice.instructions(id).at(-1)?.do, 'speak');
  await voice.report({ type: 'leg.answered', callRef: id, legRef });
  const call = await read(harness, `/calls/${id}`);
  assert.deepEqual([call.status, call.answered_by], ['in_progress', 'voicemail']);
  assert.equal(call.events.filter(({ type }: { type: string }) => type === 'answered').length, 1);
});

test('a dial whose reply is lost is not repeated, nor undone, once its leg is reported', async () => {
  const { id } = await place(harness, number.id);
  voice.answer = () => ({ outcome: 'unknown' });
  voice.find = () => ({ found: 'undecided' });
  await harness.advance(0);
  const [agent] = await legsOf(harness, id);
  await voice.report({ type: 'leg.ringing', callRef: id, legRef: agent.id });
  await harness.advance(10);
  voice.answer = () => ({ outcome: 'accepted' });
  voice.find = () => ({ found: 'accepted' });
  assert.deepEqual(
    voice.instructions(id).map((command) => command.do),
    ['dial'],
  );
  assert.equal((await read(harness, `/calls/${id}`)).status, 'ringing');
  assert.ok(!(await isLaneLeft(id)));
});
