/** Reports that are applied without a lock. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '../../../../../test/support/events.ts';
import { useHarness } from '../../../../../test/support/harness.ts';
import { gate, sql } from '../../../../../test/support/jobs.ts';
import { LIVE_NUMBER, openLiveLine } from '../../../../../test/support/live-line.ts';
import { newPerson, read } from '../../../../../test/support/messages.ts';
import { legsOf } from '../../../../../test/support/voice.ts';
import type { VoiceEvent, VoicePort } from '../../../../carriers/ports/voice.ts';
import { findLedger } from '../../../../db/ledgers.ts';
import type { JoinedWrite } from '../../../../db/statement.ts';
import type { Ledger } from '../../../../lib/scope.ts';
import { today } from '../../../../lib/time/time.ts';
import { lockCallState } from '../queries.ts';
import { createReportTaker } from './take-reports.ts';

const voice: VoicePort = {
  limits: { ringMsMax: 30_000, callMsMax: 3_600_000 },
  dispatch: async () => ({ outcome: 'accepted' }),
  findCommand: async () => ({ found: 'accepted' }),
  findLegs: async () => ({ found: 'undecided' }),
  findRecording: async () => ({ found: 'undecided' }),
  fetchRecording: async () => undefined,
};
const harness = await useHarness({ liveCarrier: ({ simulated }) => ({ ...simulated, voice }) });
const { db } = harness.context;
const key = harness.account.live_key;
const ledger = (await findLedger(db, (await openLiveLine(harness)).ledgerId)) as Ledger;

const JOINED: JoinedWrite = {
  name: 'test',
  ctes: 'carried as (select 1 from locked)',
  condition: 'exists (select 1 from carried)',
  result: `'carried'`,
  values: {},
};
const LOST: JoinedWrite = { ...JOINED, name: 'test_lost', ctes: 'carried as (select 1 from locked where false)' };

const post = (path: string, body: object = {}) => harness.call('POST', `/v1${path}`, { key, body });

async function place(fields: object = {}): Promise<{ id: string; agent: string }> {
  const body = { from: LIVE_NUMBER.id, to: newPerson(), connect_to: newPerson(), ...fields };
  const { id } = (await post('/calls', body)).body;
  return { id, agent: (await legsOf(harness, id))[0].id };
}

const event = (type: 'leg.ringing' | 'leg.answered', { id, agent }: { id: string; agent: string }): VoiceEvent => {
  return { type, callRef: id, legRef: agent };
};

const eventsOf = async (id: string): Promise<Json[]> =>
  (await read(harness, `/events?resource_id=${id}&limit=100`, key)).data.reverse();

const stateOf = async (id: string) =>
  (
    await sql<{ state: unknown; log_entries: number }>(db, 'select state, log_entries from calls where id = $1', [id])
  )[0];

test('reports are written with their joined writes, one after another', async () => {
  const take = createReportTaker();
  const call = await place();
  const ringing = { event: event('leg.ringing', call), joined: JOINED, at: today() };
  assert.deepEqual(await take(db, ledger, ringing), { joined: 'carried' });
  const answered = { event: event('leg.answered', call), joined: JOINED, at: today() };
  assert.deepEqual(await take(db, ledger, answered), { joined: 'carried' });
  const legs = await legsOf(harness, call.id);
  assert.deepEqual(
    legs.map(({ state }) => state),
    ['up', 'dialing'],
  );
});

test('a report of a call that another process has changed since is applied to the call as it is now', async () => {
  const take = createReportTaker();
  const call = await place();
  await take(db, ledger, { event: event('leg.ringing', call), joined: JOINED, at: today() });
  assert.equal((await post(`/calls/${call.id}/hangup`)).status, 200);
  const { log_entries: before = 0 } = (await stateOf(call.id)) ?? {};
  const ended: VoiceEvent = { type: 'leg.ended', callRef: call.id, legRef: call.agent, cause: 'hangup' };
  const taken = await take(db, ledger, { event: ended, joined: JOINED, at: today() });
  assert.notEqual(taken, 'unknown');
  const [{ state }] = await legsOf(harness, call.id);
  assert.equal(state, 'ended');
  const log = (await read(harness, `/calls/${call.id}`, key)).events;
  assert.equal(new Set(log.map((entry: object) => JSON.stringify(entry))).size, log.length);
  assert.ok(log.length >= before);
});

/** Lets another writer lock a call. Returns a function that ends its transaction. */
async function lockByAnother(callId: string): Promise<() => Promise<void>> {
  const [locked, mayEnd] = [gate(), gate()];
  const other = db.transaction(async (tx) => {
    await lockCallState(tx, ledger, callId);
    locked.open();
    await mayEnd.opened;
  });
  await locked.opened;
  return async () => {
    mayEnd.open();
    await other;
  };
}

test('a report is declined, and nothing is written, while another writer has the call', async () => {
  const take = createReportTaker();
  const call = await place();
  const release = await lockByAnother(call.id);
  const before = await stateOf(call.id);
  assert.equal(await take(db, ledger, { event: event('leg.answered', call), joined: JOINED }), 'declined');
  await release();
  assert.deepEqual(await stateOf(call.id), before);
});

test('a report that is declined ends no timer of its call', async () => {
  const timersOf = ({ id }: { id: string }) =>
    sql(db, `select id, payload from jobs where id like 'call:' || $1 || ':%' order by id`, [id]);
  const take = createReportTaker();
  const [call, lost] = [await place(), await place()];
  const before = [await timersOf(call), await timersOf(lost)];
  assert.ok(before.every((timers) => timers.length > 0));
  const release = await lockByAnother(call.id);
  const busy = ({ id: callRef, agent: legRef }: typeof call): VoiceEvent => {
    return { type: 'leg.ended', callRef, legRef, cause: 'busy' };
  };
  assert.equal(await take(db, ledger, { event: busy(call), joined: JOINED }), 'declined');
  await release();
  assert.equal(await take(db, ledger, { event: busy(lost), joined: LOST }), 'declined');
  assert.deepEqual([await timersOf(call), await timersOf(lost)], before);
});

test('a report whose joined write cannot be carried out is declined, and writes no state, command or event', async () => {
  const take = createReportTaker();
  const call = await place();
  const before = [await stateOf(call.id), (await eventsOf(call.id)).length];
  assert.equal(await take(db, ledger, { event: event('leg.answered', call), joined: LOST }), 'declined');
  assert.deepEqual([await stateOf(call.id), (await eventsOf(call.id)).length], before);
});

test('a report that changes nothing is needless, and that of no call is unknown', async () => {
  const take = createReportTaker();
  const call = await place();
  const [ringing, none] = [event('leg.ringing', call), { ...event('leg.ringing', call), callRef: 'call_none' }];
  await take(db, ledger, { event: ringing, joined: JOINED, at: today() });
  assert.equal(await take(db, ledger, { event: ringing, joined: JOINED, at: today() }), 'needless');
  assert.equal(await take(db, ledger, { event: none as VoiceEvent, joined: JOINED }), 'unknown');
});

test('an event that is written with its step shows the call as a request reads it then', async () => {
  const take = createReportTaker();
  const call = await place();
  const busy: VoiceEvent = { type: 'leg.ended', callRef: call.id, legRef: call.agent, cause: 'busy' };
  assert.deepEqual(await take(db, ledger, { event: busy, joined: JOINED }), { joined: 'carried' });
  const last = (await eventsOf(call.id)).at(-1);
  assert.equal(last.type, 'call.completed');
  assert.deepEqual(last.data, await read(harness, `/calls/${call.id}`, key));
});

describe('an utterance with its text', () => {
  const said = (call: { id: string; agent: string }, ref: string, text: string | null = 'Hello.'): VoiceEvent => {
    const at = today();
    return {
      ...{ type: 'leg.utterance', callRef: call.id, legRef: call.agent, utteranceRef: ref },
      ...{ text, startedAt: at, endedAt: at },
    };
  };
  /** Places a call whose words are transcribed from now on. */
  async function placeTranscribed() {
    const take = createReportTaker();
    const call = await place({ transcribe: true });
    const legs = async () => (await legsOf(harness, call.id)) as { id: string }[];
    await take(db, ledger, { event: event('leg.answered', call), joined: JOINED, at: today() });
    for (const { id } of (await legs()).slice(1)) {
      await take(db, ledger, { event: event('leg.answered', { ...call, agent: id }), joined: JOINED, at: today() });
    }
    const legRefs = (await legs()).map(({ id }) => id) as [string, string];
    await take(db, ledger, {
      event: { type: 'legs.bridged', callRef: call.id, legRefs },
      joined: JOINED,
      at: today(),
    });
    return { take, call };
  }
  const heard = async (id: string) => {
    const events = (await eventsOf(id)).filter(({ type }) => type === 'call.transcript');
    return [
      (await read(harness, `/calls/${id}/transcript`, key)).segments.map(({ text }: Json) => text),
      events.map(({ data }) => data.text),
    ];
  };

  test('is written with its event and its joined write, and a repeated report adds nothing', async () => {
    const { take, call } = await placeTranscribed();
    for (const ref of ['one', 'two', 'one']) {
      const report = { event: said(call, ref, `Word ${ref}.`), joined: JOINED, at: today() };
      assert.deepEqual(await take(db, ledger, report), { joined: 'carried' });
    }
    assert.deepEqual(await heard(call.id), [
      ['Word one.', 'Word two.'],
      ['Word one.', 'Word two.'],
    ]);
  });

  test('is declined, and nothing is written, if its joined write cannot be carried out or another writer has the call', async () => {
    const { take, call } = await placeTranscribed();
    assert.equal(await take(db, ledger, { event: said(call, 'one'), joined: LOST }), 'declined');
    const release = await lockByAnother(call.id);
    assert.equal(await take(db, ledger, { event: said(call, 'one'), joined: JOINED }), 'declined');
    await release();
    assert.deepEqual(await heard(call.id), [[], []]);
  });

  test('is declined if the customer asks for no more calls, so that the opt-out is written with it', async () => {
    const { take, call } = await placeTranscribed();
    const [, customer] = (await legsOf(harness, call.id)) as [unknown, { id: string }];
    const ask = (agent: string, ref: string) => said({ ...call, agent }, ref, 'Please stop calling me.');
    assert.equal(await take(db, ledger, { event: ask(customer.id, 'one'), joined: JOINED }), 'declined');
    assert.deepEqual(await take(db, ledger, { event: ask(call.agent, 'two'), joined: JOINED }), { joined: 'carried' });
  });

  test('is declined while an earlier one waits for its text, and needless once the call is not transcribed', async () => {
    const { take, call } = await placeTranscribed();
    assert.equal(await take(db, ledger, { event: said(call, 'early', null), joined: JOINED }), 'declined');
    await sql(
      db,
      `insert into call_utterances (ledger_id, call_id, ref, speaker, text, ended_at)
       values ($1, $2, 'early', 'agent', null, now())`,
      [ledger.ledgerId, call.id],
    );
    assert.equal(await take(db, ledger, { event: said(call, 'late'), joined: JOINED }), 'declined');
    assert.deepEqual(await heard(call.id), [[], []]);
    const silent = await place();
    assert.equal(await take(db, ledger, { event: said(silent, 'one'), joined: JOINED }), 'needless');
  });

  test('of another ledger is of an unknown call', async () => {
    const { take, call } = await placeTranscribed();
    const other = { ...ledger, ledgerId: ledger.ledgerId + 1 };
    assert.equal(await take(db, other, { event: said(call, 'one'), joined: JOINED, at: today() }), 'unknown');
  });
});
