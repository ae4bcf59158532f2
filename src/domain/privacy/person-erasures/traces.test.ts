import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { addConnection } from '../../../../test/support/live-network.ts';
import { arrive, newPerson, outboxOf, read, trySend } from '../../../../test/support/messages.ts';
import { makeLine, useLine } from '../../../../test/support/numbers.ts';
import { completed, erase } from '../../../../test/support/person-history.ts';
import { talk } from '../../../../test/support/recordings.ts';
import { runLedgerDue } from '../../../test-clock/run-due.ts';

const { harness } = await useLine({ startWorkers: false });
const { db } = harness.context;
const round = async () => {
  await harness.advance(6);
  await runLedgerDue(harness.workers.ledgerWork, 0);
};
const statusOf = async (id: string) => (await read(harness, `/person_erasures/${id}`)).status;

test('a call that runs at the request is erased once it has ended', async () => {
  const own = await makeLine(harness);
  const person = newPerson();
  const { id } = await talk(harness, own, { to: person });
  const erasure = (await erase(harness, own, person)).body;
  await round();
  await round();
  assert.equal(await statusOf(erasure.id), 'pending');
  assert.equal((await read(harness, `/calls/${id}`)).to, person);
  await harness.call('POST', `/v1/calls/${id}/hangup`, { body: {} });
  assert.equal((await completed(harness, erasure.id)).counts.calls, 1);
  assert.equal((await read(harness, `/calls/${id}`)).to, 'anonymous');
});

test('a scheduled text of an erased person is never sent', async () => {
  const own = await makeLine(harness);
  const person = newPerson();
  const { now } = await read(harness, '/test/clock');
  const send_at = new Date(Date.parse(now) + 3_600_000).toISOString();
  const { id } = (await trySend(harness, { from: own.number.id, to: person, body: 'Later', send_at })).body;
  await completed(harness, (await erase(harness, own, person)).body.id);
  await harness.advance(4_000);
  assert.deepEqual(await outboxOf(harness, person), []);
  assert.equal((await harness.call('GET', `/v1/messages/${id}`)).status, 404);
  assert.deepEqual(await sql(db, 'select 1 from scheduled_messages where message_id = $1', [id]), []);
});

test('three erasures of a tenant run at once, and each that completes starts the next', async () => {
  const own = await makeLine(harness);
  const people = Array.from({ length: 5 }, newPerson);
  for (const person of people) await arrive(harness, person, own.number.phone_number, 'Hello');
  const ids: string[] = [];
  for (const person of people) ids.push((await erase(harness, own, person)).body.id);
  const [{ count }] = await sql<Json>(db, `select count(*)::int as count from jobs where kind = 'person.erase'`);
  assert.equal(count, 3);
  for (const id of ids) await completed(harness, id);
  assert.deepEqual((await read(harness, `/conversations?tenant_id=${own.tenantId}`)).data, []);
  assert.deepEqual(await sql(db, `select 1 from jobs where kind = 'person.erase'`), []);
});

test('reports and answers of carriers lose the person; a report that is about to be handed over is waited for', async () => {
  const own = await makeLine(harness);
  const [person, bystander] = [newPerson(), newPerson()];
  const connection = await addConnection(harness.context, { kind: 'telnyx', capabilities: [] });
  const report = (id: string, state: string, number: string) =>
    sql(
      db,
      `insert into carrier_inbox (connection_id, notice_id, lane_key, type, body, state) values ($1, $2, $3, 'sms', $4, $5)`,
      [connection, id, `from ${number}`, JSON.stringify({ from: number, text: 'Hello' }), state],
    );
  await report('one', 'done', person);
  await report('two', 'waiting', person);
  await report('three', 'done', bystander);
  const [{ ledger_id: ledgerId }] = await sql<Json>(db, 'select ledger_id from tenants where id = $1', [own.tenantId]);
  await sql(
    db,
    `insert into carrier_requests (id, connection_id, ledger_id, operation, ref, outcome, answer)
     values ($1, $1, $2, 'send', 'msg_1', 'rejected', $3)`,
    [connection, ledgerId, JSON.stringify({ detail: `the number ${person} is unknown` })],
  );
  const { id } = (await erase(harness, own, person)).body;
  for (let rounds = 0; rounds < 4; rounds++) await round();
  assert.equal(await statusOf(id), 'pending');
  await sql(db, `update carrier_inbox set state = 'done' where notice_id = 'two'`);
  await completed(harness, id);
  const rows = await sql<Json>(db, 'select notice_id, lane_key, body from carrier_inbox order by received_at');
  assert.deepEqual(rows, [
    { notice_id: 'one', lane_key: 'anonymous', body: {} },
    { notice_id: 'two', lane_key: 'anonymous', body: {} },
    { notice_id: 'three', lane_key: `from ${bystander}`, body: { from: bystander, text: 'Hello' } },
  ]);
  const [{ answer }] = await sql<Json>(db, 'select answer from carrier_requests where ref = $1', ['msg_1']);
  assert.deepEqual(answer, { detail: 'the number anonymous is unknown' });
});

test('a stored reply of the person is redacted; those of another tenant with the same account key are kept', async () => {
  const [own, other] = [await makeLine(harness), await makeLine(harness)];
  const person = newPerson();
  const optOut = (tenant_id: string) =>
    harness.call('POST', '/v1/opt_outs', {
      body: { tenant_id, external_number: person },
      headers: { 'idempotency-key': `out ${tenant_id}` },
    });
  await optOut(own.tenantId);
  await optOut(other.tenantId);
  await completed(harness, (await erase(harness, own, person)).body.id);
  assert.equal((await optOut(own.tenantId)).body.external_number, 'anonymous');
  assert.equal((await optOut(other.tenantId)).body.external_number, person);
});

test('the evidence of a consent is kept for five years, and then goes with the person', async () => {
  const own = await makeLine(harness);
  const person = newPerson();
  const form = `insert into opt_in_forms (ledger_id, id, tenant_id, name, slug, consent_text, color, created_at)
    select ledger_id, 'oif_' || $2, id, 'Form', 'form-' || $2, 'I agree', '#112233', now() from tenants where id = $1`;
  await sql(db, form, [own.tenantId, person.slice(1)]);
  await sql(
    db,
    `insert into opt_in_submissions (ledger_id, id, form_id, tenant_id, phone_number, consent_text, ip_address, user_agent,
       created_at, times_submitted, last_ip_address, last_user_agent, last_submitted_at, last_consent_text)
     select ledger_id, 'ois_' || $2, 'oif_' || $2, id, '+' || $2, 'I agree', '192.0.2.1', 'x', ledger_now(ledger_id), 1,
       '192.0.2.1', 'x', ledger_now(ledger_id), 'I agree' from tenants where id = $1`,
    [own.tenantId, person.slice(1)],
  );
  const left = () => sql(db, 'select 1 from opt_in_submissions where phone_number = $1', [person]);
  assert.equal((await completed(harness, (await erase(harness, own, person)).body.id)).counts.opt_in_submissions, 0);
  assert.equal((await left()).length, 1);
  await sql(
    db,
    `update opt_in_submissions set last_submitted_at = last_submitted_at - interval '1827 days' where phone_number = $1`,
    [person],
  );
  assert.equal((await completed(harness, (await erase(harness, own, person)).body.id)).counts.opt_in_submissions, 1);
  assert.deepEqual(await left(), []);
});
