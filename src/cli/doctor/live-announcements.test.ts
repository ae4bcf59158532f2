/** `doctor --live` reports tenants that record, transcribe or let software speak without an announcement. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { explain, recordRuns, scansOf } from '../../../test/contract/plan-check.ts';
import { runHere } from '../../../test/support/cli-process.ts';
import type { Json } from '../../../test/support/events.ts';
import { TEST_SECRET, useHarness } from '../../../test/support/harness.ts';
import { sql } from '../../../test/support/jobs.ts';
import { openLiveLine } from '../../../test/support/live-line.ts';
import { newPerson } from '../../../test/support/messages.ts';
import { makeLine } from '../../../test/support/numbers.ts';
import { PLANNING } from '../../db/connection-pool.ts';
import { listUnannounced } from './live-queries.ts';

const harness = await useHarness({ startWorkers: false });
const { db } = harness.context;
const { ledgerId, tenantId } = await openLiveLine(harness);
const key = harness.account.live_key;

/** Returns the findings of the doctor about announcements, as `check: found`. */
async function announcements(): Promise<Json[]> {
  const environment = { DATABASE_URL: harness.databaseUrl, DIALPLANE_SECRET: TEST_SECRET };
  const { out } = await runHere(['doctor', '--live', '--json'], environment);
  return (JSON.parse(out) as Json[]).filter(({ check }) => check.startsWith('announcements'));
}

const checksOf = (found: readonly Json[]) => found.map(({ check, state }) => `${check} ${state}`).sort();

/** Sets a new routing config for the number; for null, none. */
async function route(fields: object | null, of = tenantId): Promise<void> {
  let id: string | null = null;
  if (fields !== null) {
    const open_behavior = { type: 'ring', targets: [newPerson()] };
    const body = { tenant_id: of, name: 'Front desk', open_behavior, ...fields };
    const made = await harness.call('POST', '/v1/routing_configs', { key, body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    id = made.body.id;
  }
  await sql(db, 'update phone_numbers set routing_config_id = $1 where tenant_id = $2', [id, of]);
}

let calls = 0;

/** Stores an answered call with these entries in its log. `stream_started` means a stream in both directions. */
async function store(direction: string, ...log: string[]): Promise<string> {
  const id = `call_${calls++}`;
  await sql(
    db,
    `insert into calls (ledger_id, id, tenant_id, phone_number_id, direction, "from", "to", record, status, outcome,
       started_at, state, commands, log_entries)
     values ($1, $2, $3, 'num_live', $4, '+16025550199', '+16025550143', false, 'completed', 'answered',
       now() + make_interval(secs => $5), '{}', 0, 0)`,
    [ledgerId, id, tenantId, direction, calls],
  );
  for (const [position, type] of log.entries()) {
    const detail = type === 'stream_started' ? { direction: 'bidirectional' } : {};
    await sql(db, 'insert into call_events values ($1, $2, $3, $4, now(), $5)', [ledgerId, id, position, type, detail]);
  }
  return id;
}

test('a live tenant whose numbers record, or ring software, without an announcement is named with the next step', async () => {
  assert.deepEqual(checksOf(await announcements()), ['announcements good']);
  const software = { type: 'ring', targets: [newPerson(), 'application'] };
  const recording = { enabled: true, consent_announcement: false };
  const menu = { type: 'menu', prompt: 'Press 1.', options: { 1: software }, otherwise: { type: 'voicemail' } };
  await route({ recording, closed_behavior: menu });
  const found = await announcements();
  assert.deepEqual(checksOf(found), ['announcements: records note', 'announcements: speaks note']);
  for (const { found: text, advice } of found) {
    assert.match(text, new RegExp(`^1 live tenants .*: Live \\(${tenantId}\\)$`));
    assert.match(advice, /consent_announcement|listening_announcement/);
  }
  const announced = { enabled: true, consent_announcement: true };
  await route({ recording: announced, open_behavior: software, listening_announcement: 'An assistant answers.' });
  assert.deepEqual(checksOf(await announcements()), ['announcements good']);
  await route(null);
});

test('a tenant whose latest calls were recorded, transcribed or spoken to before an announcement is named', async () => {
  await store('inbound', 'answered', 'announcement_played', 'recording_started', 'transcription_started');
  await store('outbound', 'answered', 'announcement_played', 'speech_started', 'stream_started');
  assert.deepEqual(checksOf(await announcements()), ['announcements good']);
  await store('inbound', 'answered', 'transcription_started', 'announcement_played', 'recording_started');
  assert.deepEqual(checksOf(await announcements()), ['announcements: transcribes note']);
  await store('outbound', 'answered', 'stream_started');
  assert.deepEqual(checksOf(await announcements()), ['announcements: speaks note', 'announcements: transcribes note']);
});

test('calls before the latest twenty of their direction do not count', async () => {
  for (let n = 0; n < 20; n++) await store('inbound', 'answered');
  assert.deepEqual(checksOf(await announcements()), ['announcements: speaks note']);
  for (let n = 0; n < 20; n++) await store('outbound', 'answered');
  assert.deepEqual(checksOf(await announcements()), ['announcements good']);
});

test('the check reads a range of an index for each tenant, and no whole table of calls or of their logs', async () => {
  const client = new pg.Client(harness.databaseUrl);
  await client.connect();
  try {
    await client.query(PLANNING);
    const takeRuns = recordRuns(harness.context);
    await listUnannounced(db);
    const [run] = takeRuns();
    assert.ok(run !== undefined);
    const scans = scansOf(await explain(client, run)).filter((scan) => /^call/.test(scan['Relation Name']));
    assert.deepEqual(
      new Set(scans.map((scan) => scan['Index Name'])),
      new Set(['calls_tenant_and_state', 'call_events_pkey']),
    );
    assert.ok(scans.every((scan) => scan['Index Cond'] !== undefined));
  } finally {
    await client.end();
  }
});

test('ten tenants are named, and the others are counted', async () => {
  for (let n = 0; n < 12; n++) {
    const { body } = await harness.call('POST', '/v1/tenants', { key, body: { name: `Office ${n}` } });
    await sql(
      db,
      `insert into phone_numbers (ledger_id, id, tenant_id, phone_number, status, capabilities, created_at)
       values ($1, $2, $3, $4, 'active', '{voice}', now())`,
      [ledgerId, `num_${n}`, body.id, newPerson()],
    );
    await route({ recording: { enabled: true, consent_announcement: false } }, body.id);
  }
  const [found] = await announcements();
  assert.match(found?.found, /^12 live tenants record/);
  assert.match(found?.found, / and 2 more$/);
  assert.equal(found?.found.match(/\(tnt_/g)?.length, 10);
});

test('a test ledger may listen without an announcement', async () => {
  await sql(db, "update tenants set deleted_at = now() where name like 'Office %'", []);
  const { tenantId: tenant_id, number } = await makeLine(harness);
  const recording = { enabled: true, consent_announcement: false };
  const config = { tenant_id, name: 'Desk', open_behavior: { type: 'ring', targets: [newPerson()] }, recording };
  const made = await harness.call('POST', '/v1/routing_configs', { body: config });
  await sql(db, 'update phone_numbers set routing_config_id = $1 where id = $2', [made.body.id, number.id]);
  assert.deepEqual(checksOf(await announcements()), ['announcements good']);
});
