import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listEvents, testLedger } from '../../../../../test/support/events.ts';
import { gate, silentLog, sql, until } from '../../../../../test/support/jobs.ts';
import { read } from '../../../../../test/support/messages.ts';
import { skip, sleep } from '../../../../../test/support/stepping-time.ts';
import {
  connect,
  legsOf,
  place,
  ring,
  type ScriptedVoice,
  useScriptedLine,
} from '../../../../../test/support/voice.ts';
import type { VoiceCommand, VoiceInstruction } from '../../../../carriers/ports/voice.ts';
import type { Lane } from '../../../../queue/lanes/lane.ts';
import { LeaseLostError } from '../../../../queue/worker/lease.ts';
import { runLedgerDue } from '../../../../test-clock/run-due.ts';
import { createWebClientExchange } from '../../web-clients/exchange.ts';
import { createTimerHandler } from '../inputs/call-timers.ts';
import { createCallLanes } from './command-lanes.ts';

const { harness, voice, number } = await useScriptedLine();

const hangUp = async (id: string) => {
  const reply = await harness.call('POST', `/v1/calls/${id}/hangup`);
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
};
const dispatchedTo = (id: string) => voice.instructions(id).map((command) => command.do);

/** Answers commands of one call by `answer`, and accepts commands of others. */
function answering(id: string, answer: ScriptedVoice['answer']): void {
  voice.answer = (command) => (command.callRef === id ? answer(command) : { outcome: 'accepted' });
}

/**
 * Delays the carrier's answer to the dial of a call. The first gate opens when the dial arrives; opening the second
 * lets the carrier answer.
 */
function delayDial(id: string) {
  const [asked, release] = [gate(), gate()];
  answering(id, async ({ instruction }) => {
    if (instruction.do === 'dial') {
      asked.open();
      await release.opened;
    }
    return { outcome: 'accepted' };
  });
  return [asked, release] as const;
}

/** Claims the lane of a call, as a worker does. */
async function claim(id: string, leaseToken: string): Promise<Lane> {
  const [row] = await sql<{ ledger_id: number; group_id: string; failures: number }>(
    harness.context.db,
    `update lanes set lease_token = $2, run_at = now() + interval '30 seconds' where kind = 'call' and lane_key = $1
     returning ledger_id, group_id, failures`,
    [id, leaseToken],
  );
  assert.ok(row !== undefined, 'the call has a lane');
  const { ledger_id: ledgerId, group_id: groupId, failures } = row;
  return { ledgerId, kind: 'call', groupId, laneKey: id, failures, leaseToken, leaseMs: 5_000 };
}

const copiesOf = () => undefined;
const webClients = { exchange: createWebClientExchange(harness.context, copiesOf), copiesOf };
const lanes = () => createCallLanes({ ...harness.context, log: silentLog }, { voice: () => undefined }, webClients);

test('commands are dispatched in order, each under its own name, and the lane ends with the last', async () => {
  const { id } = await connect(harness, voice, number.id, { record: true, transcribe: true });
  await hangUp(id);
  await harness.advance(0);
  const own = voice.commands.filter(({ callRef }) => callRef === id);
  assert.deepEqual(
    own.map(({ instruction }) => instruction.do).filter((what) => what !== 'dial'),
    ['bridge', 'speak', 'hang_up', 'hang_up'],
  );
  assert.deepEqual(
    own.map(({ commandRef }) => commandRef),
    own.map((_, index) => `${id}:${Number(own[0]?.commandRef.split(':')[1]) + index}`),
  );
  const left = await sql(harness.context.db, 'select 1 from lanes where lane_key = $1', [id]);
  const commands = await sql(harness.context.db, 'select 1 from call_commands where call_id = $1', [id]);
  assert.deepEqual([left, commands], [[], []]);
});

test('a dial whose call was hung up first is never dispatched', async () => {
  const { id } = await place(harness, number.id);
  await hangUp(id);
  await harness.advance(0);
  assert.deepEqual(dispatchedTo(id), ['hang_up']);
  assert.equal((await legsOf(harness, id))[0].state, 'ended');
});

test('a worker that has lost its lane dispatches nothing and writes nothing', async () => {
  const { id } = await place(harness, number.id);
  const lost = await claim(id, 'first');
  const held = await claim(id, 'second');
  await assert.rejects(lanes().drain(lost), LeaseLostError);
  assert.deepEqual(dispatchedTo(id), []);
  await lanes().drain(held);
  assert.deepEqual(dispatchedTo(id), ['dial']);
});

test('a worker that loses its lane while the carrier answers writes no result, and dispatches nothing more', async () => {
  const { id } = await place(harness, number.id);
  const [asked, release] = [gate(), gate()];
  answering(id, async ({ instruction }) => {
    if (instruction.do !== 'dial') return { outcome: 'accepted' };
    asked.open();
    await release.opened;
    return { outcome: 'rejected', reason: 'destination_refused' };
  });
  const slow = lanes().drain(await claim(id, 'first'));
  await asked.opened;
  const held = await claim(id, 'second');
  release.open();
  await assert.rejects(slow, LeaseLostError);
  assert.equal((await read(harness, `/calls/${id}`)).status, 'dialing', 'the result of the lost worker is not written');
  await lanes().drain(held);
  assert.deepEqual((await read(harness, `/calls/${id}`)).outcome, 'failed');
  const types = (await listEvents(harness, id)).map(({ type }) => type);
  assert.deepEqual(types, ['call.placed', 'call.completed']);
});

test('a stalled worker proves its lane again before the next command', async () => {
  const { id } = await connect(harness, voice, number.id);
  await harness.advance(0);
  const dispatchedBefore = dispatchedTo(id).length;
  for (const digits of ['1', '2']) await harness.call('POST', `/v1/calls/${id}/dtmf`, { body: { digits } });
  const lane = await claim(id, 'first');
  // The worker stalls for a minute after the first command, and another claims the lane.
  let hasStalled = false;
  answering(id, async () => {
    if (!hasStalled) {
      hasStalled = true;
      await claim(id, 'second');
      await skip(60_000);
    }
    return { outcome: 'accepted' };
  });
  await assert.rejects(lanes().drain(lane), LeaseLostError);
  const sent = () => voice.commands.filter(({ callRef }) => callRef === id).slice(dispatchedBefore);
  const digitsOf = () => sent().flatMap(({ instruction }) => ('digits' in instruction ? [instruction.digits] : []));
  assert.deepEqual(digitsOf(), ['1'], 'and not the next digits');
  await sql(harness.context.db, `update lanes set lease_token = null, run_at = now() where lane_key = $1`, [id]);
  await harness.advance(0);
  assert.deepEqual(digitsOf(), ['1', '1', '2'], 'the next worker starts again, under the same names');
  const names = sent().map(({ commandRef }) => commandRef);
  assert.equal(names[1], names[0]);
});

test('after a crash between the commit and the lane the next worker dispatches the commands', async () => {
  const { id } = await connect(harness, voice, number.id);
  await claim(id, 'of a worker that died');
  await sql(harness.context.db, `update lanes set run_at = now() - interval '1 second' where lane_key = $1`, [id]);
  await harness.advance(0);
  assert.deepEqual(dispatchedTo(id), ['dial', 'dial', 'bridge']);
});

test('a refusal of the carrier reaches the call with its reason', async () => {
  const { id } = await place(harness, number.id);
  answering(id, () => ({ outcome: 'rejected', reason: 'destination_refused' }));
  await harness.advance(0);
  const call = await read(harness, `/calls/${id}`);
  assert.deepEqual([call.status, call.outcome], ['failed', 'failed'], 'nobody was busy');
  assert.equal(call.events.at(-1).detail.reason, 'destination_refused');
  assert.deepEqual(dispatchedTo(id), ['dial']);
});

/** Returns the milliseconds of a moment of the database, by default of the present. */
async function databaseMs(moment = 'clock_timestamp()', values: readonly string[] = []): Promise<number> {
  const text = `select extract(epoch from ${moment})::float8 * 1000 as ms`;
  return (await sql<{ ms: number }>(harness.context.db, text, values))[0]?.ms ?? Number.NaN;
}

test('an unavailable carrier is retried after 250 ms, 500 ms and 1 s, and then the dial has failed', async () => {
  const { id } = await place(harness, number.id);
  answering(id, () => ({ outcome: 'unavailable' }));
  for (const waitMs of [250, 500, 1_000]) {
    const lane = await claim(id, 'of this try');
    const earliestMs = (await databaseMs()) + waitMs;
    await lanes().drain(lane);
    const latestMs = (await databaseMs()) + waitMs;
    const dueMs = await databaseMs('(select run_at from lanes where lane_key = $1)', [id]);
    assert.ok(dueMs >= earliestMs && dueMs <= latestMs, `${dueMs} is not ${earliestMs} to ${latestMs}`);
    assert.equal((await read(harness, `/calls/${id}`)).status, 'dialing');
    await sql(harness.context.db, 'update call_commands set retry_at = now() where call_id = $1', [id]);
  }
  await lanes().drain(await claim(id, 'of the last try'));
  assert.equal(dispatchedTo(id).length, 4);
  const call = await read(harness, `/calls/${id}`);
  assert.deepEqual([call.status, call.outcome], ['failed', 'failed']);
});

test('a hang-up is retried for minutes, and holds back no command to another leg', async () => {
  const { id } = await connect(harness, voice, number.id);
  await harness.advance(0);
  const [, customer] = await legsOf(harness, id);
  let isAway = true;
  const isOfCustomer = (command: VoiceInstruction) => command.do === 'hang_up' && command.legRef === customer.id;
  answering(id, ({ instruction }) => ({ outcome: isAway && isOfCustomer(instruction) ? 'unavailable' : 'accepted' }));
  await hangUp(id);
  await harness.advance(120);
  const tries = () => voice.instructions(id).filter(isOfCustomer).length;
  const ofAgent = voice.instructions(id).filter((command) => command.do === 'hang_up' && !isOfCustomer(command));
  assert.equal(ofAgent.length, 1);
  const [whileAway, names] = [tries(), voice.commands.filter(({ instruction }) => isOfCustomer(instruction))];
  assert.ok(whileAway > 8 && whileAway < 15, `${whileAway} tries`);
  assert.equal(new Set(names.map(({ commandRef }) => commandRef)).size, 1);
  isAway = false;
  await harness.advance(30);
  assert.equal(tries(), whileAway + 1);
  assert.deepEqual(await sql(harness.context.db, 'select 1 from lanes where lane_key = $1', [id]), []);
});

test('a command whose answer was lost is looked up, and not dispatched again if the carrier has it', async () => {
  const { id } = await place(harness, number.id);
  const asked: VoiceCommand[] = [];
  answering(id, () => ({ outcome: 'unknown' }));
  voice.find = (command) => {
    asked.push(command);
    return { found: asked.length < 2 ? 'undecided' : 'accepted' };
  };
  await harness.advance(3);
  assert.deepEqual(dispatchedTo(id), ['dial']);
  assert.equal(asked.length, 2);
  assert.equal((await read(harness, `/calls/${id}`)).status, 'dialing');
  voice.find = () => ({ found: 'accepted' });
});

test('a command that the carrier does not have is dispatched again under the same name', async () => {
  const { id } = await place(harness, number.id);
  let count = 0;
  answering(id, () => (count++ === 0 ? { outcome: 'unknown' } : { outcome: 'accepted' }));
  voice.find = () => ({ found: 'absent' });
  await harness.advance(3);
  voice.find = () => ({ found: 'accepted' });
  const names = voice.commands.filter(({ callRef }) => callRef === id).map(({ commandRef }) => commandRef);
  assert.deepEqual(names, [`${id}:1`, `${id}:1`]);
});

test('a dial whose outcome stays unknown has failed, and is hung up in case it was made', async () => {
  const { id } = await place(harness, number.id);
  answering(id, ({ instruction }) => (instruction.do === 'dial' ? { outcome: 'unknown' } : { outcome: 'accepted' }));
  voice.find = () => ({ found: 'undecided' });
  await harness.advance(10);
  voice.find = () => ({ found: 'accepted' });
  assert.equal((await read(harness, `/calls/${id}`)).outcome, 'failed');
  assert.deepEqual(dispatchedTo(id), ['dial', 'hang_up']);
});

test('an adapter that throws leaves the command unknown, not lost', async () => {
  const { id } = await place(harness, number.id);
  answering(id, () => Promise.reject(new Error('a fault of the adapter')));
  voice.find = () => ({ found: 'accepted' });
  await harness.advance(1);
  assert.equal((await read(harness, `/calls/${id}`)).status, 'dialing');
  assert.deepEqual(await sql(harness.context.db, 'select 1 from lanes where lane_key = $1', [id]), []);
});

test('commands of a step during a dispatch follow the earlier ones', async () => {
  const { id } = await place(harness, number.id);
  const [asked, release] = delayDial(id);
  const running = runLedgerDue(harness.workers.ledgerWork, await testLedger(harness));
  await asked.opened;
  await hangUp(id);
  release.open();
  await running;
  await until('the lane has ended', async () => dispatchedTo(id).length === 2);
  assert.deepEqual(dispatchedTo(id), ['dial', 'hang_up']);
});

test('a call to an unknown number is hung up once', async () => {
  const { id, legRef, event } = await ring(voice, '+16025559999');
  await voice.report(event);
  await harness.advance(0);
  assert.deepEqual(voice.instructions(id), [{ do: 'hang_up', legRef, reason: 'ended' }]);
  assert.equal((await harness.call('GET', `/v1/calls/${id}`)).body.error.code, 'call_not_found');
});

test('a worker whose lease is nearly over renews it before it dispatches anything', async () => {
  const { id } = await place(harness, number.id);
  const lane = await claim(id, 'slow');
  await sql(harness.context.db, `update lanes set run_at = now() + interval '1 second' where lane_key = $1`, [id]);
  const beganMs = await databaseMs();
  const ends: [endsMs: number, nowMs: number][] = [];
  answering(id, async () => {
    ends.push([await databaseMs('(select run_at from lanes where lane_key = $1)', [id]), await databaseMs()]);
    return { outcome: 'accepted' };
  });
  await lanes().drain(lane);
  assert.equal(ends.length, 1);
  const [[endsMs, nowMs] = assert.fail()] = ends;
  assert.ok(endsMs >= beganMs + 5_000 && endsMs <= nowMs + 5_000, `the lease ends ${endsMs - nowMs} ms later`);
});

test('a hang-up waits for a pending dial, even after another worker had the lane', async () => {
  const { id } = await place(harness, number.id);
  const [asked, release] = delayDial(id);
  const handler = lanes();
  const lost = handler.drain(await claim(id, 'first'));
  await asked.opened;
  await hangUp(id);
  const again = handler.drain(await claim(id, 'second'));
  // A worker that was too early would read the lane and dispatch the hang-up within this time.
  await sleep(100);
  assert.deepEqual(dispatchedTo(id), ['dial'], 'nothing overtakes the dial');
  release.open();
  await assert.rejects(lost, LeaseLostError);
  await again;
  assert.deepEqual(dispatchedTo(id), ['dial', 'hang_up'], 'the dial is dispatched once');
});

test('a dial that was ever unsure is hung up when it fails, even if the carrier reports that it has none', async () => {
  const { id } = await place(harness, number.id);
  let dials = 0;
  answering(id, ({ instruction }) => {
    if (instruction.do !== 'dial') return { outcome: 'accepted' };
    return dials++ === 0 ? { outcome: 'unknown' } : { outcome: 'unavailable' };
  });
  voice.find = () => ({ found: 'undecided' });
  await harness.advance(0);
  voice.find = () => ({ found: 'absent' });
  await harness.advance(10);
  voice.find = () => ({ found: 'accepted' });
  assert.equal((await read(harness, `/calls/${id}`)).outcome, 'failed');
  assert.equal(dispatchedTo(id).at(-1), 'hang_up');
});

test('a party that is dialled late rings for the full time, counted from the dial, at most once', async () => {
  const { id } = await place(harness, number.id);
  const { db } = harness.context;
  const ledgerId = await testLedger(harness);
  const inHand = await claim(id, 'of a worker that died');
  const timers = createTimerHandler(harness.context);
  const letRing = async (): Promise<number | undefined> => {
    const [row] = await sql<{ id: string; payload: unknown }>(
      db,
      `update jobs set lease_token = 'here', run_at = now() + interval '30 seconds'
       where id = 'call:' || $1 || ':ring' returning id, payload`,
      [id],
    );
    assert.ok(row !== undefined, 'the timer is set');
    const job = { ledgerId, id: row.id, kind: 'call-timer', payload: row.payload, attempt: 1, leaseToken: 'here' };
    await timers.run([job]);
    const text = `select run_at from jobs where id = 'call:' || $1 || ':ring'`;
    return (await sql<{ run_at: Date }>(db, text, [id]))[0]?.run_at.getTime();
  };
  const beganMs = await databaseMs();
  const untilMs = (await letRing()) ?? assert.fail('the timer is gone');
  assert.ok(
    untilMs >= Math.floor(beganMs) + 30_000 && untilMs <= (await databaseMs()) + 30_000,
    `rings until ${untilMs}`,
  );
  assert.equal((await read(harness, `/calls/${id}`)).status, 'dialing');
  await lanes().drain(inHand);
  assert.deepEqual(dispatchedTo(id), ['dial']);
  assert.equal(await letRing(), undefined);
  assert.equal((await read(harness, `/calls/${id}`)).outcome, 'no_answer');
});

test('digits behind 200 commands that the carrier has not taken are refused; a hang-up is not', async () => {
  const { id } = await connect(harness, voice, number.id);
  await sql(
    harness.context.db,
    `insert into call_commands (ledger_id, call_id, position, command)
     select ledger_id, id, 1000 + n, '{"do":"send_digits","legRef":"leg_none","digits":"1"}'
     from calls, generate_series(1, 200) n where id = $1`,
    [id],
  );
  const reply = await harness.call('POST', `/v1/calls/${id}/dtmf`, { body: { digits: '1' } });
  assert.deepEqual([reply.status, reply.body.error.code], [503, 'carrier_unavailable']);
  assert.ok(Number(reply.headers.get('retry-after')) > 0);
  await hangUp(id);
});
