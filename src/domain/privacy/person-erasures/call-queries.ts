/** The statements that erase calls. Each takes a few rows of one range of an index. */
import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { writingsOf } from './scrub.ts';
import type { Person } from './step.ts';

// A call is finished once it has ended and its carrier has received all its commands.
const FIND_CALLS = statement(
  'person_calls_find',
  `select c.id, c.state, c.ended_at is not null and not exists (
     select 1 from call_commands where ledger_id = c.ledger_id and call_id = c.id) as has_ended
   from calls c
   where c.ledger_id = $1
     and (c.tenant_id || '/' || (case c.direction when 'inbound' then c."from" else c."to" end)) = $3::text || '/' || $2::text
     and c.started_at <= $4::timestamptz
   order by c.started_at limit $5::int`,
);

export type FoundCall = { readonly id: string; readonly state: object; readonly has_ended: boolean };

export function findCalls(tx: Tx, { ledgerId, number, tenantId, until }: Person, rows: number) {
  return tx.query<FoundCall>(FIND_CALLS, [ledgerId, number, tenantId, until, rows]);
}

const LIST_RECORDINGS = statement(
  'recordings_list_of_calls',
  'select id from recordings where ledger_id = $1 and call_id = any($2::text[])',
);

export async function listRecordingsOf(tx: Tx, ledgerId: number, callIds: readonly string[]): Promise<string[]> {
  return (await tx.query<{ id: string }>(LIST_RECORDINGS, [ledgerId, callIds])).map(({ id }) => id);
}

const ERASE_CALLS = statement(
  'calls_erase',
  `update calls c set summary = null, conversation_id = null, caller_name = null, erased_at = ledger_now($1::int),
     state = e.state::jsonb,
     "from" = case c.direction when 'inbound' then $2::text else c."from" end,
     "to" = case c.direction when 'inbound' then c."to" else $2::text end,
     connect_to = case c.connect_to when $5::text then $2::text else c.connect_to end,
     answered_by = case c.answered_by when $5::text then $2::text else c.answered_by end
   from (select * from unnest($3::text[], $4::text[]) as u (id, state) order by id) e
   where c.ledger_id = $1::int and c.id = e.id`,
);

/** Erases the content of calls that have ended, and the number of the person in them. */
export async function eraseCallRows(
  tx: Tx,
  { ledgerId, number }: Person,
  calls: readonly { readonly id: string; readonly state: object }[],
  replacement: string,
): Promise<void> {
  const states = calls.map(({ state }) => JSON.stringify(state));
  await tx.query(ERASE_CALLS, [ledgerId, replacement, calls.map(({ id }) => id), states, number]);
}

const LIST_LOG = statement(
  'call_events_list_of_calls',
  `select call_id, position, detail from call_events where ledger_id = $1 and call_id = any($2::text[])`,
);

const SET_LOG = statement(
  'call_events_set_details',
  `update call_events e set detail = u.detail::json
   from unnest($2::text[], $3::int[], $4::text[]) as u (call_id, position, detail)
   where e.ledger_id = $1 and e.call_id = u.call_id and e.position = u.position`,
);

type LogEntry = { readonly call_id: string; readonly position: number; readonly detail: object };

/** Replaces the details in the logs of calls. */
export async function changeLogs(
  tx: Tx,
  ledgerId: number,
  callIds: readonly string[],
  change: (detail: object) => object,
): Promise<void> {
  const entries = await tx.query<LogEntry>(LIST_LOG, [ledgerId, callIds]);
  await tx.query(SET_LOG, [
    ledgerId,
    entries.map((entry) => entry.call_id),
    entries.map(({ position }) => position),
    entries.map(({ detail }) => JSON.stringify(change(detail))),
  ]);
}

/** The replacement for the address of a stream that contains the number. */
const ERASED_URL = 'wss://erased.invalid/';

const ERASE_STREAMS = statement(
  'media_streams_erase',
  `update media_streams set url = case when url ~ $3 then '${ERASED_URL}' else url end,
     connect_url = case when connect_url is null then null else '${ERASED_URL}' end, connect_error = null, parameters = '{}',
     relay = relay || '{"welcome_text": null}', handoff_data = null
   where ledger_id = $1 and call_id = any($2::text[]) returning id`,
);

/**
 * Removes the number from the addresses of calls' media streams, and deletes their parameters, errors, welcome texts
 * and hand-over data.
 * @returns the ids of the streams
 */
export async function eraseStreams(
  tx: Tx,
  { ledgerId, number }: Person,
  callIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(ERASE_STREAMS, [ledgerId, callIds, writingsOf(number)]);
  return rows.map(({ id }) => id);
}

const SPEECHES = statement(
  'web_client_speeches_delete',
  'delete from web_client_speeches where ledger_id = $1 and call_id = any($2::text[])',
);

/** Data of calls that carriers' adapters keep: spoken texts, and dialled numbers. Their own sweeps delete the rows. */
const OF_ADAPTERS = [
  ['telnyx_playbacks', 'spoken'],
  ['sip_playbacks', 'spoken'],
  ['sip_legs', 'dialled'],
].map(([table, column]) =>
  statement(
    `${table}_erase`,
    `update ${table} t set ${column} = null from calls c
     where c.ledger_id = $1 and c.id = any($2::text[])
       and t.ledger_id = c.ledger_id and t.connection_id = c.connection_id and t.call_ref = c.id
       and t.${column} is not null`,
  ),
);

/** The simulated network keeps copies, as a carrier does. Referencing tables come first. */
const OF_SIMULATION = [
  'simulated_sounds',
  'simulated_audio',
  'simulated_recordings',
  'simulated_voice_commands',
  'simulated_legs',
  'simulated_calls',
].map((table) =>
  statement(`${table}_erase`, `delete from ${table} where ledger_id = $1 and call_ref = any($2::text[])`),
);

/** Deletes the data of calls outside of the call, its log, its audio and its transcript. */
export async function eraseCallCopies(tx: Tx, ledgerId: number, callIds: readonly string[]): Promise<void> {
  for (const erase of [SPEECHES, ...OF_ADAPTERS, ...OF_SIMULATION]) await tx.query(erase, [ledgerId, callIds]);
}
