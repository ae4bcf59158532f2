/** A reset of a test ledger. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPort } from '../../../test/support/carrier-ports.ts';
import { makeBrand, makeCampaign, setReviews } from '../../../test/support/compliance.ts';
import { clockOffsetMs, type Json, testLedger } from '../../../test/support/events.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { askedTimes, sql } from '../../../test/support/jobs.ts';
import { arrive, newPerson, read, sendText, setFault } from '../../../test/support/messages.ts';
import { makeLine } from '../../../test/support/numbers.ts';
import { addDocument, numberElsewhere, PORT_DETAILS } from '../../../test/support/port-ins.ts';
import { LEDGER_TABLES } from '../../db/ledger-tables.ts';
import { runLedgerDue } from '../../test-clock/run-due.ts';

const harness = await useHarness({ startWorkers: false });

const clock = (advance_seconds: unknown, key = harness.account.test_key) =>
  harness.call('POST', '/v1/test/clock', { key, body: { advance_seconds } });
const ledgerNow = async () => Date.parse((await read(harness, '/test/clock')).now);
const reset = () => harness.call('POST', '/v1/test/reset');

/** Returns the ledger tables that have rows of the harness's test ledger. */
async function tablesWithRows(): Promise<string[]> {
  const ledgerId = await testLedger(harness);
  const found: string[] = [];
  for (const table of LEDGER_TABLES) {
    const rows = await sql(harness.context.db, `select 1 from ${table} where ledger_id = $1 limit 1`, [ledgerId]);
    if (rows.length > 0) found.push(table);
  }
  return found;
}

test('the list of ledger tables is complete', async () => {
  const rows = await sql<{ table_name: string }>(
    harness.context.db,
    `select table_name from information_schema.columns where column_name = 'ledger_id' and table_schema = 'public'`,
  );
  // A reset keeps the keys and the two logs. A test ledger has no live numbers, no money and no live carrier, so those
  // tables are empty.
  const kept = ['api_keys', 'audit_log', 'request_log'];
  const apart = new Set([
    ...kept,
    'live_numbers',
    'balances',
    'balance_entries',
    'carrier_requests',
    'telnyx_legs',
    'sip_legs',
    'sip_playbacks',
    'sip_recordings',
    'sip_streams',
    'telnyx_playbacks',
    'telnyx_profiles',
    'telnyx_recordings',
    'telnyx_registrations',
    'telnyx_port_ins',
    'telnyx_documents',
  ]);
  const expected = rows.map((row) => row.table_name).filter((name) => !apart.has(name));
  assert.deepEqual([...LEDGER_TABLES].sort(), expected.sort());
});

/** Fills the tables of usage: sums of entries, and one entry that is not in a sum yet. */
async function fillUsage(): Promise<void> {
  const ledgerId = await testLedger(harness);
  const fact = `$1, 'sms_segment_outbound', 'one', 'tnt_x', 1, now()`;
  const { db } = harness.context;
  await sql(db, `insert into usage_archive (ledger_id, kind, reference, tenant_id, quantity, at) values (${fact})`, [
    ledgerId,
  ]);
  await sql(
    db,
    `insert into usage_hours (ledger_id, scope, hour, kind, quantity) values ($1, '', now(), 'sms_segment_outbound', 1)`,
    [ledgerId],
  );
  // The trigger of the archive has added this usage to usage_days.
  await sql(db, `insert into usage_horizons (ledger_id, archived_from) values ($1, now())`, [ledgerId]);
  await sql(db, `insert into usage_entries (ledger_id, kind, reference, tenant_id, quantity, at) values (${fact})`, [
    ledgerId,
  ]);
}

/** Fills the compliance tables of a tenant: registrations, an address, a port-in, an opt-in form with an entry. */
async function fillCompliance(tenantId: string, numberId: string): Promise<void> {
  const must = async (path: string, body: object): Promise<Json> => {
    const reply = await harness.call('POST', path, { body });
    assert.ok(reply.status < 300, JSON.stringify(reply.body));
    return reply.body;
  };
  await setReviews(harness, 'manual');
  const person = await makeBrand(harness, { body: { entity_type: 'sole_proprietor' } });
  await must(`/v1/brands/${person.id}/verification/resend`, {});
  await setReviews(harness, 'auto');
  const campaign = await makeCampaign(harness, tenantId);
  await harness.call('PATCH', `/v1/phone_numbers/${numberId}`, { body: { campaign_id: campaign.id } });
  await must(`/v1/test/phone_numbers/${numberId}/port_out`, { status: 'pending' });
  const routing = {
    tenant_id: tenantId,
    name: 'Office',
    open_behavior: { type: 'ring', targets: [newPerson()] },
    hold_audio_url: 'https://example.com/hold.wav',
  };
  const { id: routingId } = await must('/v1/routing_configs', routing);
  assert.equal((await harness.call('PUT', `/v1/routing_configs/${routingId}`, { body: routing })).status, 200);
  await must('/v1/e911_addresses', { tenant_id: tenantId, ...PORT_DETAILS.service_address });
  const ported = { tenant_id: tenantId, phone_numbers: [numberElsewhere()], ...PORT_DETAILS };
  const port = await must('/v1/port_ins', ported);
  await addDocument(harness, port.id, 'invoice');
  await must(`/v1/port_ins/${port.id}/submit`, {});
  const form = await must('/v1/opt_in_forms', { tenant_id: tenantId, campaign_id: campaign.id, name: 'Reminders' });
  const entry = { phone_number: newPerson(), consent: 'yes' };
  await harness.call('POST', new URL(form.url).pathname, { key: null, body: entry });
}

/** Fills the tables of scheduled texts, of templates and of contacts. */
async function fillTexts(tenant_id: string, from: string): Promise<void> {
  const send_at = new Date((await ledgerNow()) + 3_600_000).toISOString();
  const texts = await harness.call('POST', '/v1/messages', { body: { from, to: newPerson(), body: 'Later', send_at } });
  // Each request has another person, because an erasure also removes the exports of its person.
  for (const path of ['/v1/person_exports', '/v1/person_erasures']) {
    const person = { tenant_id, external_number: newPerson() };
    assert.equal((await harness.call('POST', path, { body: person })).status, 202);
  }
  const template = { tenant_id, name: 'One', body: 'Hello {{name}}' };
  const templates = await harness.call('POST', '/v1/message_templates', { body: template });
  const contact = { tenant_id, name: 'Sam Ortiz', phone_numbers: [newPerson()] };
  const contacts = await harness.call('POST', '/v1/contacts', { body: contact });
  assert.deepEqual([texts.status, templates.status, contacts.status], [201, 201, 201]);
}

/** Fills the voice tables with a running call and with everything that can result from a call. */
async function fillVoice(tenantId: string, from: string): Promise<void> {
  const body = { from, to: newPerson(), connect_to: newPerson() };
  const call = await harness.call('POST', '/v1/calls', { body });
  assert.equal(call.status, 201, JSON.stringify(call.body));
  const values = [await testLedger(harness), tenantId, call.body.id];
  for (const insert of [
    `into simulated_calls (ledger_id, call_ref) select $1, $3 where $2::text is not null on conflict do nothing`,
    `into simulated_legs (ledger_id, leg_ref, call_ref, party, address, dialled, state)
     select $1, 'leg_x', $3, 'agent', $2, true, 'up'`,
    `into simulated_voice_commands (ledger_id, call_ref, command_ref) select $1, $3, 'command' where $2::text is not null`,
    `into simulated_sounds (ledger_id, call_ref, ref, played_to, kind, content, starts_at, duration_ms)
     select $1, $3, 'one', '{}', 'beep', '', now(), 1 where $2::text is not null`,
    `into simulated_recordings (ledger_id, recording_ref, call_ref, leg_refs, starts_at)
     select $1, 'rec_y', $3, '{}', now() where $2::text is not null`,
    `into call_utterances (ledger_id, call_id, ref, speaker, ended_at)
     select $1, $3, 'one', 'agent', now() where $2::text is not null`,
    `into transcript_segments (ledger_id, call_id, ref, speaker, text, occurred_at)
     select $1, $3, 'one', 'agent', 'Hello', now() where $2::text is not null`,
    `into recordings (ledger_id, id, tenant_id, call_id, duration_ms, consent_announced, blob_key, created_at)
     values ($1, 'rec_x', $2, $3, 1, false, 'key', now())`,
    `into web_clients (ledger_id, id, tenant_id, name, sip_username, status, created_at)
     values ($1, 'wcl_x', $2, $3, 'someone', 'active', now())`,
    `into web_client_sessions (ledger_id, web_client_id, session_id, node_id, seen_at)
     select $1, 'wcl_x', $3, 'node', now() where $2::text is not null`,
    `into simulated_audio (ledger_id, call_ref, starts_at, audio) select $1, $3, now(), '' where $2::text is not null`,
    `into media_streams
       (ledger_id, id, call_id, tenant_id, direction, track, status, url, node_id, token_hash, created_at)
     values ($1, 'stm_x', $3, $2, 'fork', 'both', 'stopped', 'ws://x', 'node', '', now())`,
    `into call_audio_nodes (ledger_id, call_id, node_id) select $1, $3, 'node' where $2::text is not null`,
    `into agent_audio_legs (ledger_id, leg_id, call_id, asked_node, asked_at)
     select $1, 'leg_x', $3, 'node', now() where $2::text is not null`,
    `into web_client_dials (ledger_id, web_client_id, ref_hash, call_id, leg_id, dialled_at)
     select $1, 'wcl_x', '', $3, 'leg_x', now() where $2::text is not null`,
    `into web_client_legs (ledger_id, leg_id, call_id, web_client_id, was_rung, state)
     select $1, 'leg_x', $3, 'wcl_x', true, 'dialing' where $2::text is not null`,
    `into web_client_speeches (ledger_id, leg_id, speech_ref, call_id, text, is_alone, asked_at)
     select $1, 'leg_x', 'one', $3, 'Hello', true, now() where $2::text is not null`,
    `into queues (ledger_id, id, tenant_id, name, strategy, ring_seconds, wrap_up_seconds, max_waiting, max_wait_seconds,
       overflow, created_at)
     select $1, 'que_x', $2, $3, 'ring_all', 1, 1, 1, 1, '{}', now()`,
    `into queue_agents (ledger_id, queue_id, agent, position, since)
     select $1, 'que_x', $2, 1, now() where $3::text is not null`,
    `into queue_agent_turns (ledger_id, agent) select $1, $2 where $3::text is not null`,
    `into queue_uses (ledger_id, user_id, queue_id) select $1, $2, 'que_x' where $3::text is not null`,
    `into queue_entries (ledger_id, call_id, queue_id, since, admitted, offered)
     select $1, $3, 'que_x', now(), false, false where $2::text is not null`,
    `into queue_agent_legs (ledger_id, leg_id, call_id, agent, state) select $1, 'leg_x', $3, $2, 'up'`,
    `into conversation_labels (ledger_id, conversation_id, label, tenant_id, phone_number_id, opted_out, state,
       last_activity_at)
     select ledger_id, id, 'tag/vip', tenant_id, phone_number_id, opted_out, state, last_activity_at
     from conversations where ledger_id = $1 and $2 || $3 <> '' limit 1`,
    `into conversation_reads (ledger_id, conversation_id, reader, inbound_count, read_at)
     select ledger_id, id, 'ann', 0, last_activity_at from conversations where ledger_id = $1 and $2 || $3 <> '' limit 1`,
    `into message_media (ledger_id, message_id, position, carrier_ref, created_at)
     select $1, id, 0, 'one', now() from messages where ledger_id = $1 and $2 || $3 <> '' limit 1`,
    `into retention_progress (ledger_id, tenant_id, kind, row_at, row_id)
     values ($1, $2, 'recording_days', now(), $3)`,
    `into conversation_notes (ledger_id, id, tenant_id, conversation_id, body, created_at)
     select $1, 'nte_x', $2, id, 'Hello', now() from conversations where ledger_id = $1 and $3 <> '' limit 1`,
    `into auto_replies (ledger_id, tenant_id, external_number, source, replied_at)
     values ($1, $2, '+16025550143', $3, now())`,
    `into voicemails (ledger_id, id, tenant_id, call_id, recording_id, "from", duration_ms, created_at)
     values ($1, 'vm_x', $2, $3, 'rec_x', '+16025550143', 1, now())`,
  ]) {
    await sql(harness.context.db, `insert ${insert}`, values);
  }
}

test('a reset empties the ledger and sets its clock back, and the key still works', async () => {
  const { tenantId, number } = await makeLine(harness);
  const hook = await harness.call('POST', '/v1/webhook_endpoints', { body: { url: 'https://example.com/hook' } });
  await harness.call('POST', `/v1/webhook_endpoints/${hook.body.id}/replays`, { body: { start: '2026-01-01' } });
  await fillCompliance(tenantId, number.id);
  await sendText(harness, number.id, newPerson());
  await fillTexts(tenantId, number.id);
  await clock(5);
  await setFault(harness, { kind: 'drop' });
  await arrive(harness, newPerson(), number.phone_number, 'STOP');
  await arrive(harness, newPerson(), number.phone_number, 'Please STOP at the weekends');
  await sendText(harness, number.id, newPerson());
  const headers = { 'idempotency-key': 'before the reset' };
  await harness.call('POST', '/v1/tenants', { body: { name: 'T' }, headers });
  const session = { tenant_id: tenantId, abilities: ['calls:read'] };
  await harness.call('POST', '/v1/browser_sessions', { body: session });
  await fillUsage();
  await fillVoice(tenantId, number.id);
  const filled = await tablesWithRows();
  for (const table of LEDGER_TABLES) assert.ok(filled.includes(table), `${table} had no rows before the reset`);
  const reply = await reset();
  assert.equal(reply.status, 200);
  assert.deepEqual(await tablesWithRows(), []);
  assert.equal(await clockOffsetMs(harness), 0);
  const again = await harness.call('POST', '/v1/tenants', { body: { name: 'Another' }, headers });
  assert.equal(again.status, 201);
  await makeLine(harness);
});

test('a reset does not change other ledgers', async () => {
  const stranger = (await harness.secondAccount()).test_key;
  await harness.call('POST', '/v1/tenants', { key: stranger, body: { name: 'Mine' } });
  await harness.call('POST', '/v1/tenants', { key: harness.account.live_key, body: { name: 'Live' } });
  await reset();
  for (const key of [stranger, harness.account.live_key]) {
    assert.equal((await read(harness, '/tenants', key)).data.length, 1);
  }
});

test('a job that is calling the carrier during a reset leaves no rows', async () => {
  const { number } = await makeLine(harness);
  const { promise: handedOver, resolve: reached } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await withPort(
    harness,
    'messaging',
    (real) => ({
      ...real,
      send: async (ledger, message) => {
        reached();
        await released;
        return real.send(ledger, message);
      },
    }),
    async () => {
      await sendText(harness, number.id, newPerson());
      const running = runLedgerDue(harness.workers.ledgerWork, await testLedger(harness));
      await handedOver;
      const waiting = askedTimes(harness.context.db, 'ledger_count_claimed_jobs', 2);
      const resetting = reset();
      await Promise.race([waiting, resetting]);
      release();
      assert.equal((await resetting).status, 200);
      await running;
    },
  );
  assert.deepEqual(await tablesWithRows(), []);
});

test('sends concurrent with a reset leave a consistent ledger', async () => {
  const { number } = await makeLine(harness);
  const sends = Array.from({ length: 40 }, () =>
    harness.call('POST', '/v1/messages', { body: { from: number.id, to: newPerson(), body: 'Hi' } }),
  );
  const replies = await Promise.all([...sends.slice(0, 20), reset(), ...sends.slice(20)]);
  for (const { status, body } of replies) assert.ok([200, 201, 404].includes(status), JSON.stringify(body));
  assert.equal((await reset()).status, 200);
  assert.deepEqual(await tablesWithRows(), []);
});
