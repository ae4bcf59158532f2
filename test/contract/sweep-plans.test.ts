/**
 * The plans of sweeps, which look for old rows in tables that grow without end, and of operators' notices, which look
 * for new ones. Each plan must have the age as a bound of its index range. If the time were only a filter, the plan
 * would read every younger or older row.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { sweepRequests } from '../../src/carriers/book/queries.ts';
import { sweepNotices } from '../../src/carriers/inbox/queries.ts';
import { createClaimOffers } from '../../src/db/claim-offers.ts';
import { PLANNING } from '../../src/db/connection-pool.ts';
import type { Db, Tx } from '../../src/db/database.ts';
import { type Bound, bind } from '../../src/db/statement.ts';
import { sweepSessions } from '../../src/domain/accounts/browser-sessions/queries.ts';
import { sweepExpired } from '../../src/domain/accounts/console-sessions/queries.ts';
import { sweepRequestLog } from '../../src/domain/audit/request-log/queries.ts';
import { listCandidates } from '../../src/domain/messaging/dispatch/queries.ts';
import { listUnreported } from '../../src/domain/messaging/messages/heal-queries.ts';
import { sweepCandidates } from '../../src/domain/messaging/opt-out-candidates/queries.ts';
import { findOldMessages } from '../../src/domain/messaging/retention/queries.ts';
import { listRunning } from '../../src/domain/voice/calls/inputs/heal-queries.ts';
import { listUnheardCalls } from '../../src/domain/voice/media-streams/leg-audio-queries.ts';
import { listUnreportedRecordings } from '../../src/domain/voice/recordings/heal-queries.ts';
import { findOldRecordings, findOldTranscripts, findOldVoicemails } from '../../src/domain/voice/retention/queries.ts';
import { deleteExpiredKeys } from '../../src/http/writes/idempotency-queries.ts';
import { today } from '../../src/lib/time/time.ts';
import type { Lane } from '../../src/queue/lanes/lane.ts';
import { listNotices, sweepSettled } from '../../src/server/notices/queries.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { cloneDatabase } from '../support/database.ts';
import type { Json } from '../support/events.ts';

const database = await cloneDatabase();
closeAfterTests(() => database.drop());
const client = new pg.Client(database.url);
await client.connect();
closeAfterTests(() => client.end());
await client.query(PLANNING);

/** Returns the statement that a query runs. */
async function statementOf(run: (db: Db) => Promise<unknown>): Promise<Bound> {
  const seen: Bound[] = [];
  const query: Db['query'] = async (statement, values) => {
    seen.push(bind(statement, values));
    return [];
  };
  await run({ query, signal: () => undefined, afterCommit: (work) => work(), offers: createClaimOffers() });
  return seen[0] ?? assert.fail('no statement was run');
}

const nodesOf = (plan: Json): Json[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

const windows = { windows: [1], widthMs: 1, rows: 1 };
const SWEEPS: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  'texts without a receipt': (db) => listUnreported(db, windows),
  'recordings without a report': (db) => listUnreportedRecordings(db, windows),
  'running calls': (db) => listRunning(db, { ageMinMs: 1, rows: 1 }),
  'old notices of carriers': (db) => sweepNotices(db, 1),
  'old requests to carriers': (db) => sweepRequests(db, 1),
  'old requests in the request log': (db) => sweepRequestLog(db, today(), 1),
  'expired browser sessions': (db) => sweepSessions(db, 1),
  'settled notices': (db) => sweepSettled(db, 1),
  'expired sign-in links': (db) => sweepExpired(db, 1),
  'old candidates of opt-outs': (db) => sweepCandidates(db, 1),
  'texts past their retention': (db) => findOldMessages(db, { rowsMax: 1 }),
  'recordings past their retention': (db) => findOldRecordings(db, { rowsMax: 1 }),
  'voicemails past their retention': (db) => findOldVoicemails(db, { rowsMax: 1 }),
  'transcripts past their retention': (db) => findOldTranscripts(db, { rowsMax: 1 }),
  'old idempotency keys': (db) => deleteExpiredKeys(db, 1),
};

/** Returns the plan of the statement that a query runs. */
async function planOf(run: (db: Db) => Promise<unknown>): Promise<Json> {
  const { name, text } = await statementOf(run);
  await client.query(`deallocate all; prepare "${name}" as ${text}`);
  const values = Array.from({ length: Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n))) });
  const { rows } = await client.query(
    `explain (costs off, format json) execute "${name}" (${values.map(() => 'null').join()})`,
  );
  return rows[0]['QUERY PLAN'][0].Plan;
}

/** Fails unless a plan begins at the age. Returns its nodes. */
async function checkAge(run: (db: Db) => Promise<unknown>): Promise<Json[]> {
  const nodes = nodesOf(await planOf(run));
  const age = /(created|expires|logged|ended|started|received|settled)_at (<=?|>=?) /;
  const filtered = nodes.filter(({ Filter: filter }) => typeof filter === 'string' && age.test(filter));
  assert.deepEqual(filtered, [], 'a condition on the age is a filter');
  assert.ok(
    nodes.some((node) => age.test(String(node['Index Cond']))),
    'no index is walked by age',
  );
  return nodes;
}

for (const [what, run] of Object.entries(SWEEPS)) {
  test(`the sweep of ${what} begins at their age`, async () => {
    await checkAge(run);
  });
}

test('the notices of operators read the calls to 911 of the last day, in one range of all accounts', async () => {
  const nodes = await checkAge((db) => listNotices(db, 1));
  const scans = nodes.filter((node) => node['Relation Name'] === 'events');
  assert.deepEqual(
    scans.map((node) => [node['Index Name'], node['Filter']]),
    [['events_emergency_calls', undefined]],
  );
});

/** Statements whose limit is a parameter, and the tables with what belongs to the limited rows. */
const LIMITED: Readonly<Record<string, { run: (db: Db) => Promise<unknown>; tables: readonly string[] }>> = {
  'the texts of a campaign': {
    run: (db) => listCandidates(db as Tx, { ledgerId: 1, groupId: 'cmp_x' } as Lane, 1),
    tables: ['messages', 'conversations', 'phone_numbers'],
  },
  'running calls without audio': {
    run: (db) => listUnheardCalls(db, 1),
    tables: ['call_audio_nodes', 'call_commands'],
  },
};

/** Returns the tables that a plan reads as a side of a hash or merge join. */
function joinedTables(plan: Json, isInJoin = false): string[] {
  const isJoin = isInJoin || /^(Hash|Merge) Join$/.test(plan['Node Type']);
  // A subplan runs for each row, with the keys of the row.
  const parts = (plan.Plans ?? []).filter((part: Json) => part['Parent Relationship'] !== 'SubPlan');
  return [...(isInJoin ? [plan['Relation Name']] : []), ...parts.flatMap((part: Json) => joinedTables(part, isJoin))];
}

for (const [what, { run, tables }] of Object.entries(LIMITED)) {
  test(`what belongs to ${what} is looked up by key, however many rows the planner expects`, async () => {
    await client.query('begin; set local enable_nestloop = off');
    const plan = await planOf(run);
    await client.query('rollback');
    const read = new Set(nodesOf(plan).map((node) => node['Relation Name']));
    assert.deepEqual(
      tables.filter((table) => !read.has(table)),
      [],
    );
    const joined = joinedTables(plan);
    assert.deepEqual(
      tables.filter((table) => joined.includes(table)),
      [],
    );
  });
}
