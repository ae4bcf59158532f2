import assert from 'node:assert/strict';
import { decodeWav } from '../../src/audio/wav.ts';
import type { Database } from '../../src/db/database.ts';
import { isMessage } from '../../src/domain/voice/calls/machine/ending.ts';
import { sql } from '../support/jobs.ts';
import { countWork, type Site } from '../support/product-process.ts';
import { RECORDED_USE } from '../support/recorded-use.ts';
import type { CallKind, PlacedCall, VoiceClient } from './voice-crash-client.ts';

/** Makes the database record the commands of each call, and the order that the carrier carried them out. */
export async function watchOrders(db: Database): Promise<void> {
  for (const text of [
    'create table recorded_commands (call_id text, position int, command json)',
    `create function note_command() returns trigger language plpgsql as $$ begin
       insert into recorded_commands values (new.call_id, new.position, new.command); return new; end $$`,
    'create trigger note_command after insert on call_commands for each row execute function note_command()',
    'alter table simulated_voice_commands add column done_at bigserial',
  ]) {
    await sql(db, text);
  }
}

/** Adds the records of a database's calls from the other databases, where their account was for a time. */
export async function gatherOrders(db: Database, others: readonly Database[]): Promise<void> {
  const calls = (await sql<{ id: string }>(db, 'select id from calls')).map(({ id }) => id);
  for (const other of others) {
    const found = await sql(other, 'select * from recorded_commands where call_id = any($1)', [calls]);
    await sql(
      db,
      `insert into recorded_commands select * from json_populate_recordset(null::recorded_commands, $1::json) n
       where not exists (select from recorded_commands r where r.call_id = n.call_id and r.position = n.position)`,
      [JSON.stringify(found)],
    );
  }
}

type EndedCall = {
  id: string;
  direction: 'inbound' | 'outbound';
  status: string;
  outcome: string;
  ended_at: Date | null;
  duration_seconds: number | null;
  recording_id: string | null;
  voicemail_id: string | null;
  summary: string | null;
  connected_ms: number | null;
  transcribed_ms: number | null;
  log: { type: string; detail: { reason?: string } }[];
  events: { type: string; sequence: number }[];
  usage: { kind: string; quantity: number; times: number }[];
  recordings: { id: string; purpose: 'call' | 'voicemail'; duration_ms: number; events: number }[];
  voicemails: { id: string; events: number }[];
  segments: number;
  /** How long the network recorded the call. */
  recorded_ms: number;
};

const CALLS = `select c.id, c.direction, c.status, c.outcome, c.ended_at, c.duration_seconds, c.recording_id,
  c.voicemail_id, c.summary,
  (c.state->>'endedAtMs')::float8 - (c.state->>'connectedAtMs')::float8 as connected_ms,
  (c.state->>'endedAtMs')::float8 - (c.state->>'transcribedFromMs')::float8 as transcribed_ms,
  array(select json_build_object('type', e.type, 'detail', e.detail) from call_events e
        where e.call_id = c.id order by e.position) as log,
  array(select json_build_object('type', e.type, 'sequence', e.sequence) from events e
        where e.resource_id = c.id order by e.sequence) as events,
  array(select json_build_object('kind', u.kind, 'quantity', sum(u.quantity), 'times', count(*))
        from ${RECORDED_USE} u
        where u.reference = 'call:' || c.id group by u.kind order by u.kind) as usage,
  array(select json_build_object('id', r.id, 'purpose',
          case when exists (select 1 from voicemails v where v.recording_id = r.id) then 'voicemail' else 'call' end,
          'duration_ms', r.duration_ms, 'events',
          (select count(*) from events e where e.resource_id = r.id and e.type = 'recording.created'))
        from recordings r where r.call_id = c.id order by r.id) as recordings,
  array(select json_build_object('id', v.id, 'events',
          (select count(*) from events e where e.resource_id = v.id and e.type = 'voicemail.created'))
        from voicemails v where v.call_id = c.id) as voicemails,
  (select count(*)::int from transcript_segments t where t.call_id = c.id) as segments,
  coalesce((select extract(epoch from max(r.ended_at - r.starts_at))::float8 * 1000
            from simulated_recordings r where r.call_ref = c.id), 0) as recorded_ms
  from calls c order by c.id`;

/**
 * Fails unless each acknowledged call exists and ended once, and no work is left.
 * @returns the figures of the calls, one a line
 */
export async function assertCallsEndedOnce(
  site: Pick<Site, 'db' | 'account'>,
  url: string,
  client: VoiceClient,
): Promise<string[]> {
  const { db } = site;
  const calls = await sql<EndedCall>(db, CALLS);
  const placed = client.calls.map(({ id }) => id).sort();
  assert.deepEqual(
    calls.map(({ id }) => id),
    placed,
    'the calls that were acknowledged, each once',
  );
  const kinds = new Map(client.calls.map((call: PlacedCall) => [call.id, call.kind]));
  for (const call of calls) {
    assertEnded(call, kinds.get(call.id) as CallKind);
    assertEvents(call);
    assertUsage(call);
    assertAudioRows(call);
  }
  await assertNetwork(db);
  await assertSums(db);
  assert.deepEqual(await countWork(db), { jobs: 0, lanes: 0, waiting: 0, undelivered: 0 });
  const heard = await listenToAll(url, site.account.test_key, calls);
  const outcomes = Map.groupBy(calls, ({ id, outcome }) => `${kinds.get(id)} ${outcome}`);
  return [[...outcomes].map(([what, own]) => `${own.length} ${what}`).join(', '), `${heard} recordings fetched`];
}

function assertEnded({ id, status, outcome, ended_at, log, recorded_ms }: EndedCall, kind: CallKind): void {
  const what = `${kind} ${id}: ${status} ${outcome}, ${log.map(({ type }) => type).join(' ')}`;
  assert.match(status, /^(completed|failed|missed)$/, what);
  assert.ok(ended_at !== null, what);
  assert.equal(
    log.filter(({ type, detail }) => type === 'hangup' || (type === 'failed' && 'outcome' in detail)).length,
    1,
    what,
  );
  if (kind === 'unanswered') assert.equal(outcome, 'no_answer', what);
  // A caller hangs up if no tone comes for 15 s, such as while a product starts again on a busy machine.
  if (kind === 'message') assert.equal(outcome, isMessage(recorded_ms) ? 'voicemail' : 'missed', what);
}

/** Checks the events of the call: each once, without a gap. */
function assertEvents({ id, direction, outcome, log, events, summary, segments }: EndedCall): void {
  const types = events.map(({ type }) => type);
  const what = `${id}: ${types.join(' ')}`;
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, index) => index + 1),
    what,
  );
  const count = (wanted: string) => types.filter((type) => type === wanted).length;
  const isMissed = direction === 'inbound' && outcome === 'missed';
  const isTranscribed = log.some(({ type }) => type === 'transcription_started');
  assert.equal(count('call.completed'), 1, what);
  assert.equal(count('call.missed'), isMissed ? 1 : 0, what);
  if (isMissed) assert.equal(types.indexOf('call.completed'), types.indexOf('call.missed') + 1, what);
  assert.equal(count('call.started'), direction === 'inbound' ? 1 : 0, what);
  assert.equal(count('call.placed'), direction === 'outbound' ? 1 : 0, what);
  assert.equal(count('call.answered'), outcome === 'answered' ? 1 : 0, what);
  assert.equal(count('call.summary'), isTranscribed ? 1 : 0, what);
  assert.equal(summary !== null, isTranscribed, what);
  assert.equal(count('call.transcript'), segments, what);
  const gathers = (type: string) => log.filter((entry) => entry.type === type).length;
  assert.equal(gathers('gather_started'), gathers('gather_finished'), what);
  assert.equal(count('call.gather'), gathers('gather_finished'), what);
}

const startedMinutes = (ms: number) => Math.ceil(ms / 60_000);

/** Checks that the metered usage is the actual usage, once for each kind. */
function assertUsage({ id, direction, connected_ms, transcribed_ms, recordings, usage }: EndedCall): void {
  const expected: EndedCall['usage'] = [];
  const expect = (kind: string, ms: number | null | undefined) => {
    if (ms !== null && ms !== undefined && ms > 0) expected.push({ kind, quantity: startedMinutes(ms), times: 1 });
  };
  expect(`call_minute_${direction}`, connected_ms);
  expect('recording_minute', recordings.find(({ purpose }) => purpose === 'call')?.duration_ms);
  expect('transcription_minute', transcribed_ms);
  assert.deepEqual(usage, expected, id);
}

/** Checks that the audio is exactly the expected one: one recording, or one message. */
function assertAudioRows({ id, outcome, log, recordings, voicemails, recording_id, voicemail_id }: EndedCall): void {
  const isCancelled = log.some(({ type, detail }) => type === 'recording_stopped' && detail.reason !== undefined);
  const isRecorded = log.some(({ type }) => type === 'recording_started') && !isCancelled;
  const own = recordings.filter(({ purpose }) => purpose === 'call').map(({ id: recording }) => recording);
  assert.deepEqual(own, isRecorded ? [recording_id] : [], `${id}: the recording`);
  assert.ok(
    recordings.every(({ purpose, events }) => events === (purpose === 'call' ? 1 : 0)),
    `${id}: each recording has one event`,
  );
  const messages = outcome === 'voicemail' ? [{ id: voicemail_id, events: 1 }] : [];
  assert.deepEqual(voicemails, messages, `${id}: the message`);
  assert.equal(recordings.filter(({ purpose }) => purpose === 'voicemail').length, messages.length, id);
}

/** Checks that on the simulated network every leg and recording has ended, and that no dial followed its hang-up. */
async function assertNetwork(db: Database): Promise<void> {
  assert.deepEqual(await sql(db, `select leg_ref, state from simulated_legs where state <> 'ended'`), []);
  assert.deepEqual(await sql(db, 'select recording_ref from simulated_recordings where ended_at is null'), []);
  assert.deepEqual(await sql(db, 'select call_id, command from call_commands'), []);
  assert.deepEqual(await sql(db, 'select call_id, ref from call_utterances'), []);
  const carriedOut = `select t.command->>'legRef' as leg, t.command->>'do' as act, o.done_at from recorded_commands t
    join simulated_voice_commands o on o.command_ref = t.call_id || ':' || t.position`;
  const late = `with done as (${carriedOut})
    select d.leg from done d join done h using (leg) where d.act = 'dial' and h.act = 'hang_up' and d.done_at > h.done_at`;
  assert.deepEqual(await sql(db, late), [], 'dials after their own hang-up');
  const twice = `with done as (${carriedOut}) select leg from done where act = 'dial' group by leg having count(*) > 1`;
  assert.deepEqual(await sql(db, twice), [], 'legs that were dialled twice');
}

/** Checks that the sums by hour and by day equal the archive. */
async function assertSums(db: Database): Promise<void> {
  const sumsOf = (table: string) =>
    `select kind, sum(quantity)::int as quantity from ${table} where scope = '' group by kind order by kind`;
  const facts = 'select kind, sum(quantity)::int as quantity from usage_archive group by kind order by kind';
  assert.deepEqual(await sql(db, sumsOf('usage_hours')), await sql(db, facts));
  assert.deepEqual(await sql(db, sumsOf('usage_days')), await sql(db, facts));
}

/** Checks that every recording and message can be fetched, and has its duration. */
async function listenToAll(url: string, key: string, calls: readonly EndedCall[]): Promise<number> {
  let heard = 0;
  for (const { recordings, voicemails } of calls) {
    for (const { id, purpose, duration_ms } of recordings) {
      const path = purpose === 'call' ? `recordings/${id}` : `voicemails/${voicemails[0]?.id}`;
      const reply = await fetch(`${url}/v1/${path}/audio`, { headers: { authorization: `Bearer ${key}` } });
      assert.equal(reply.status, 200, path);
      const { pcm, sampleRateHz } = decodeWav(new Uint8Array(await reply.arrayBuffer()));
      assert.ok(Math.abs((pcm.length / sampleRateHz) * 1000 - duration_ms) <= 20, `${path} lasts ${duration_ms} ms`);
      heard++;
    }
  }
  return heard;
}
