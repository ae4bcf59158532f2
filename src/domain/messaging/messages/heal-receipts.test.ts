import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql, until } from '../../../../test/support/jobs.ts';
import { newPerson, read, trySend } from '../../../../test/support/messages.ts';
import { useLiveLine } from '../../../../test/support/money.ts';
import { eventsOf } from '../../../../test/support/numbers.ts';
import type { MessagingPort, TextReceipt } from '../../../carriers/ports/messaging.ts';
import type { Found } from '../../../carriers/ports/outcome.ts';
import { healReceipts } from './heal-receipts.ts';

/** The carrier's answer to a query, and the texts that were queried. */
let said: Found<{ receipt?: TextReceipt }> | Error = { found: 'undecided' };
const asked: string[] = [];
const { harness, key, from } = await useLiveLine({
  liveCarrier: ({ simulated }) => ({
    ...simulated,
    messaging: {
      ...(simulated.messaging as MessagingPort),
      findSend: async (_, ref) => {
        asked.push(ref);
        if (said instanceof Error) throw said;
        return said;
      },
    },
  }),
});
const { context } = harness;

/** Makes a text that the carrier has taken, and whose receipt is lost. */
async function lostText(ageMinutes: number, status: 'queued' | 'sent' = 'sent'): Promise<string> {
  const { id } = (await trySend(harness, { from, to: newPerson(), body: 'Hi' }, { key })).body;
  await until('its receipt is here', async () => (await statusOf(id)) === 'delivered');
  const age = 'update messages set status = $3, created_at = clock_timestamp() - $2::interval where id = $1';
  await sql(context.db, age, [id, `${ageMinutes} minutes`, status]);
  asked.length = 0;
  return id;
}

const statusOf = async (id: string): Promise<string> => (await read(harness, `/messages/${id}`, key)).status;

for (const [receipt, status, code] of [
  [{ status: 'delivered' }, 'delivered', null],
  [{ status: 'failed', failureReason: 'unreachable' }, 'failed', 'unreachable'],
  [{ status: 'failed' }, 'failed', 'carrier_rejected'],
] as const) {
  test(`a text without a receipt after 15 minutes gets the one that its carrier has: ${status}, ${code}`, async () => {
    const id = await lostText(16);
    said = { found: 'accepted', receipt };
    await healReceipts(context);
    const message = await read(harness, `/messages/${id}`, key);
    assert.deepEqual([message.status, message.error_code], [status, code]);
    const types = (await eventsOf(harness, id)).map(({ type }) => type);
    assert.equal(types.filter((type) => type === `message.${status}`).length, status === 'delivered' ? 2 : 1);
  });
}

for (const [what, answer] of [
  ['does not know', { found: 'undecided' }],
  ['has not delivered it', { found: 'accepted', receipt: { status: 'sent' } }],
  ['cannot tell', { found: 'accepted' }],
  ['does not have it', { found: 'absent' }],
  ['fails', new Error('the line is down')],
] as const) {
  test(`a text stays as it is while its carrier ${what}`, async () => {
    const id = await lostText(16);
    said = answer;
    await healReceipts(context);
    assert.ok(asked.includes(id));
    assert.equal(await statusOf(id), 'sent');
    await sql(context.db, "update messages set status = 'delivered' where id = $1", [id]);
  });
}

test('a text of a carrier that does not report `sent` is asked about too, but not while it waits to be submitted', async () => {
  said = { found: 'accepted', receipt: { status: 'sent' } };
  const id = await lostText(16, 'queued');
  await healReceipts(context);
  assert.equal(await statusOf(id), 'sent');
  for (const wait of [
    `insert into jobs (ledger_id, id, queue, kind, payload, run_at)
     select ledger_id, 'message.submit:' || id, 'messaging', 'message.submit', '{}', 'infinity' from messages where id = $1`,
    `insert into jobs (ledger_id, id, queue, kind, payload, run_at)
     select m.ledger_id, 'message.submit_batch:' || c.phone_number_id || ':msg_0', 'messaging', 'message.submit_batch',
       json_build_object('message_ids', json_build_array('msg_0', m.id)), 'infinity'
     from messages m join conversations c on c.ledger_id = m.ledger_id and c.id = m.conversation_id where m.id = $1`,
    `insert into paced_messages (ledger_id, campaign_id, message_id, conversation_id)
     select m.ledger_id, c.id, m.id, m.conversation_id
     from messages m join campaigns c on c.ledger_id = m.ledger_id and c.tenant_id = m.tenant_id where m.id = $1`,
  ]) {
    const waiting = await lostText(16, 'queued');
    await sql(context.db, wait, [waiting]);
    await healReceipts(context);
    assert.ok(!asked.includes(waiting));
  }
});

test('the age of a scheduled text counts from its time, not from its acceptance', async () => {
  said = { found: 'accepted', receipt: { status: 'delivered' } };
  const id = await lostText(3 * 24 * 60);
  const due = "update messages set send_at = clock_timestamp() - interval '16 minutes' where id = $1";
  await sql(context.db, due, [id]);
  await healReceipts(context);
  assert.equal(await statusOf(id), 'delivered');
});

test('a text is asked about at growing ages: not before 15 minutes, and not after a day', async () => {
  said = { found: 'undecided' };
  const id = await lostText(0);
  const isAskedAt = async (minutes: number): Promise<boolean> => {
    const age = 'update messages set created_at = clock_timestamp() - $2::interval where id = $1';
    await sql(context.db, age, [id, `${minutes} minutes`]);
    asked.length = 0;
    await healReceipts(context);
    return asked.includes(id);
  };
  const at: number[] = [];
  for (const minutes of [2, 14, 16, 19, 22, 31, 61, 90, 121, 241, 300, 481, 961, 1441, 1446, 3000]) {
    if (await isAskedAt(minutes)) at.push(minutes);
  }
  assert.deepEqual(at, [16, 19, 31, 61, 121, 241, 481, 961, 1441]);
});
