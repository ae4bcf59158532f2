/** The effects of changes on a scheduled text before its time, and their visibility. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { newPerson, outboxOf, read, refusal, setFault, trySend } from '../../../../test/support/messages.ts';
import { makeLine, useLine } from '../../../../test/support/numbers.ts';
import { makePacedSender } from '../../../../test/support/pacing.ts';
import { createReleaseHandler } from './release-texts.ts';

const { harness, tenantId, number } = await useLine({ startWorkers: false });
const { db } = harness.context;
const HOUR_MS = 3_600_000;

async function ahead(ms: number): Promise<string> {
  return new Date(Date.parse((await read(harness, '/test/clock')).now) + ms).toISOString();
}
async function schedule(fields: object = {}): Promise<Json> {
  const send_at = await ahead(HOUR_MS);
  const reply = await trySend(harness, { from: number.id, to: newPerson(), body: 'Later', send_at, ...fields });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}
const cancel = (id: string, key?: string) =>
  harness.call('POST', `/v1/messages/${id}/cancel`, key === undefined ? {} : { key });
const get = (id: string) => read(harness, `/messages/${id}`);

test('a text is canceled or sent, never both, whatever comes first at its time', async () => {
  const send_at = await ahead(HOUR_MS);
  const texts: Json[] = [];
  for (let n = 0; n < 60; n++) texts.push(await schedule({ send_at }));
  const moving = harness.advance(2 * 3_600);
  const replies = [];
  for (const { id } of texts.toReversed()) replies.push(await cancel(id));
  await moving;
  for (const [index, reply] of replies.reverse().entries()) {
    const { id, to } = texts[index] as Json;
    const { status } = await get(id);
    const isCanceled = reply.status === 200;
    assert.deepEqual([status, (await outboxOf(harness, to)).length], isCanceled ? ['canceled', 0] : ['delivered', 1]);
    if (!isCanceled) assert.deepEqual(refusal(reply).slice(0, 2), [409, 'message_not_cancellable']);
  }
});

test('a cancellation waits for a release under way, and then comes too late', async () => {
  const text = await schedule();
  const [job] = await sql<Json>(
    db,
    `update jobs set lease_token = 'mine' where kind = 'message.release' and (payload ->> 'send_at')::timestamptz = $1
     returning ledger_id as "ledgerId", id, kind, payload, 1 as attempt, lease_token as "leaseToken"`,
    [text['send_at']],
  );
  let late: ReturnType<typeof cancel> | undefined;
  const release = createReleaseHandler({
    ...harness.context,
    db: {
      ...db,
      transaction: (work) =>
        db.transaction(async (tx) => {
          const result = await work(tx);
          late = cancel(text.id);
          return result;
        }),
    },
  });
  await release.run([job as never]);
  assert.deepEqual(refusal(await (late as ReturnType<typeof cancel>)).slice(0, 2), [409, 'message_not_cancellable']);
  await harness.advance(2 * 3_600);
  assert.equal((await get(text.id)).status, 'delivered');
});

test('a text whose template is deleted before its time is sent as it was made', async () => {
  const made = { tenant_id: tenantId, name: 'Reminder', body: 'See you at {{time}}.' };
  const { body: template } = await harness.call('POST', '/v1/message_templates', { body: made });
  const text = await schedule({ body: undefined, template_id: template.id, variables: { time: '10:30' } });
  await harness.call('PATCH', `/v1/message_templates/${template.id}`, { body: { body: 'Another' } });
  assert.equal((await harness.call('DELETE', `/v1/message_templates/${template.id}`)).status, 204);
  await harness.advance(2 * 3_600);
  assert.deepEqual(
    (await outboxOf(harness, text.to)).map(({ body }) => body),
    ['See you at 10:30.'],
  );
});

test('a text of a tenant that is deleted before its time fails, and reaches no handset', async () => {
  const line = await makeLine(harness);
  const text = await schedule({ from: line.number.id });
  assert.equal((await harness.call('DELETE', `/v1/tenants/${line.tenantId}`)).status, 204);
  await harness.advance(2 * 3_600);
  const [row] = await sql<Json>(db, 'select status, error_code from messages where id = $1', [text.id]);
  assert.deepEqual(row, { status: 'failed', error_code: 'send_failed' });
  assert.deepEqual(await outboxOf(harness, text.to), []);
});

test('a text costs nothing until it is sent, and nothing if it is canceled', async () => {
  const [sent, canceled] = [await schedule(), await schedule()];
  const metered = async () => {
    const text = 'select reference from usage_entries where reference = any($1)';
    const rows = await sql<{ reference: string }>(db, text, [[sent.id, canceled.id]]);
    return rows.map(({ reference }) => reference);
  };
  assert.deepEqual(await metered(), []);
  await cancel(canceled.id);
  await harness.advance(2 * 3_600);
  assert.deepEqual(await metered(), [sent.id]);
});

test('the list of scheduled texts contains each of them once over its pages, and nothing else', async () => {
  const line = await makeLine(harness);
  const wanted: string[] = [];
  for (let n = 0; n < 5; n++) wanted.unshift((await schedule({ from: line.number.id })).id);
  await trySend(harness, { from: line.number.id, to: newPerson(), body: 'Now' });
  await cancel((await schedule({ from: line.number.id })).id);
  const seen: string[] = [];
  let after = '';
  do {
    const page = await read(harness, `/messages?status=scheduled&tenant_id=${line.tenantId}&limit=2${after}`);
    seen.push(...page.data.map(({ id }: Json) => id));
    after = page.has_more ? `&after=${page.next_cursor}` : '';
  } while (after !== '');
  assert.deepEqual(seen, wanted);
});

test('other accounts, modes and tenants neither see nor cancel a scheduled text', async () => {
  const text = await schedule();
  const other = await harness.secondAccount();
  const stranger = await harness.tenantKey((await makeLine(harness)).tenantId);
  for (const [key, refused] of [
    [other.test_key, [404, 'message_not_found']],
    [harness.account.live_key, [404, 'message_not_found']],
    [stranger, [403, 'tenant_restricted_key']],
  ] as const) {
    assert.deepEqual(refusal(await cancel(text.id, key)).slice(0, 2), refused);
    const { data } = await read(harness, '/messages?status=scheduled', key);
    assert.ok(!data.some(({ id }: Json) => id === text.id));
  }
  assert.equal((await cancel(text.id, await harness.tenantKey(tenantId))).body.status, 'canceled');
});

test('a check says what the send would say', async () => {
  const template = async (owner: string, body: string): Promise<string> => {
    const made = { tenant_id: owner, name: 'Reminder', body };
    return (await harness.call('POST', '/v1/message_templates', { body: made })).body.id;
  };
  const foreign = await template((await makeLine(harness)).tenantId, 'Hi');
  const own = await template(tenantId, 'Hi {{name}}');
  const base = { from: number.id, to: newPerson() };
  const variables = { name: 'Ann' };
  for (const fields of [
    { body: 'Hi', send_at: await ahead(-1_000) },
    { body: 'Hi', send_at: 'soon' },
    { template_id: foreign, variables: {} },
    { template_id: own, variables: {} },
    { template_id: 'tpl_none', variables: {} },
    { template_id: own, variables, send_at: await ahead(31 * 24 * HOUR_MS) },
    { template_id: own, body: 'Hi' },
  ]) {
    const wanted = { ...base, ...fields };
    const checked = await harness.call('POST', '/v1/messages/check', { body: wanted });
    assert.deepEqual([checked.status, checked.body.accepted], [200, false]);
    const { code, param } = checked.body.error;
    assert.deepEqual([code, param], refusal(await trySend(harness, wanted)).slice(1));
  }
  const wanted = { ...base, template_id: own, variables, send_at: await ahead(HOUR_MS) };
  const { body: checked } = await harness.call('POST', '/v1/messages/check', { body: wanted });
  const { body: sent } = await trySend(harness, wanted);
  assert.deepEqual([checked.accepted, checked.send_at, checked.segments], [true, sent.send_at, sent.segments]);
});

test('texts of one conversation and moment stay in order under a campaign, also if the first is tried again', async () => {
  // Texts of other tests would consume the fault.
  await harness.advance(2 * 3_600);
  const sender = await makePacedSender(harness, 'public_company');
  const [send_at, to] = [await ahead(HOUR_MS), newPerson()];
  const of = (fields: object = {}) => schedule({ from: sender.number.id, to, send_at, ...fields });
  const first = await of();
  // A text for another time was accepted between the two.
  await of({ send_at: await ahead(24 * HOUR_MS) });
  const second = await of();
  await setFault(harness, { kind: 'send_unavailable', times: 1 });
  await harness.advance(2 * 3_600);
  const received = (await outboxOf(harness, to)).map(({ message_id }) => message_id).reverse();
  assert.deepEqual(received, [first.id, second.id]);
});
