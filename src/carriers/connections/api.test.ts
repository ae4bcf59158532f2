import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from '../../../test/contract/requests.ts';
import { signIn } from '../../../test/support/console.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { sql } from '../../../test/support/jobs.ts';
import { addConnection } from '../../../test/support/live-network.ts';
import type { AdapterKind } from '../adapter.ts';

/** A carrier whose check returns the text in its credential `answer`. */
const ANSWERING_KIND: AdapterKind = {
  description: { kind: 'answering', capabilities: ['messaging'], settings: [], credentials: [] },
  make: () => ({
    connect: ({ credentials }) => ({
      carrier: { name: 'answering' },
      check: async () => [{ check: 'key', state: 'bad', found: String(credentials['answer']), advice: 'Renew it.' }],
      setup: async () => [],
    }),
  }),
};

const harness = await useHarness({ startWorkers: false, adapterKinds: [ANSWERING_KIND] });
const { db } = harness.context;
const operator = await signIn(harness);
let names = 0;

async function connect(kind = 'answering'): Promise<string> {
  const credentials = { answer: 'the key was revoked' };
  const named = { name: `carrier-${names++}`, settings: { region: 'us' } };
  return await addConnection(harness.context, { kind, ...named, credentials, capabilities: ['messaging'] });
}

async function leaveInDoubt(connectionId: string, id: string): Promise<void> {
  await sql(
    db,
    `insert into carrier_requests (id, connection_id, ledger_id, operation, ref, sent_at)
     values ($1, $2, 1, 'send', $1, now() - interval '1 hour')`,
    [id, connectionId],
  );
}

test('connections are listed with what they are used for, and without credentials', async () => {
  const id = await connect();
  const { status, body } = await operator.call('GET', '/connections');
  assert.equal(status, 200);
  const shown = body.data.find((connection: { id: string }) => connection.id === id);
  assert.deepEqual([shown.kind, shown.status, shown.settings], ['answering', 'active', { region: 'us' }]);
  assert.deepEqual(shown.capabilities, ['messaging']);
  assert.deepEqual(shown.used_for, [{ capability: 'messaging', account_id: null }]);
  assert.doesNotMatch(JSON.stringify(body), /credentials|revoked/);
  assert.deepEqual((await operator.call('GET', `/connections/${id}`)).body, shown);
});

test('a check says what the carrier found, and a connection that cannot be opened is bad', async () => {
  const check = async (id: string) => (await operator.call('POST', `/connections/${id}/check`, { body: {} })).body.data;
  assert.deepEqual(await check(await connect()), [
    { check: 'key', state: 'bad', found: 'the key was revoked', advice: 'Renew it.' },
  ]);
  const [finding] = await check(await connect('unheard-of'));
  assert.deepEqual([finding.check, finding.state], ['connection', 'bad']);
  assert.match(finding.found, /no adapter for carriers of the kind "unheard-of"/);
});

test('a request in doubt is listed at its connection, and settled there once', async () => {
  const [id, other] = [await connect(), await connect()];
  await leaveInDoubt(id, 'crq_doubt');
  const open = async (of: string) => (await operator.call('GET', `/connections/${of}/open_requests`)).body.data;
  assert.deepEqual(
    (await open(id)).map(({ operation, ref }: { operation: string; ref: string }) => [operation, ref]),
    [['send', 'crq_doubt']],
  );
  assert.deepEqual(await open(other), []);
  const settle = (of: string) =>
    operator.call('POST', `/connections/${of}/reconcile`, { body: { request_id: 'crq_doubt', outcome: 'absent' } });
  assertRefused(await settle(other), 404, 'carrier_request_not_found');
  const settled = await settle(id);
  assert.deepEqual([settled.status, settled.body.outcome, settled.body.operation], [200, 'absent', 'send']);
  assertRefused(await settle(id), 404, 'carrier_request_not_found');
  assert.deepEqual(await open(id), []);
});

test('the latest notices of a connection are listed, without their bodies', async () => {
  const [id, other] = [await connect(), await connect()];
  for (const connection of [id, other]) {
    await sql(
      db,
      `insert into carrier_inbox (connection_id, notice_id, lane_key, type, body, state)
       values ($1, 'n1', 'call_x', 'call.hangup', '{"secret": 1}', 'ignored')`,
      [connection],
    );
  }
  const { body } = await operator.call('GET', `/connections/${id}/notices`);
  const { received_at, ...notice } = body.data[0];
  assert.equal(body.data.length, 1);
  assert.ok(Date.parse(received_at) > 0);
  assert.deepEqual(notice, {
    ...{ id: 'n1', object: 'carrier_notice', type: 'call.hangup', about: 'call_x', state: 'ignored' },
  });
});

test('a session of one account reaches none of it', async () => {
  const id = await connect();
  const ofAccount = await signIn(harness, harness.account.id);
  const body = { request_id: 'crq_x', outcome: 'absent' };
  for (const [method, path, options] of [
    ['GET', '/connections', {}],
    ['GET', `/connections/${id}`, {}],
    ['GET', `/connections/${id}/open_requests`, {}],
    ['GET', `/connections/${id}/notices`, {}],
    ['POST', `/connections/${id}/check`, { body: {} }],
    ['POST', `/connections/${id}/reconcile`, { body }],
  ] as const) {
    assertRefused(await ofAccount.call(method, path, options), 403, 'operator_required');
  }
});

test('unknown connections and wrong bodies are refused', async () => {
  const id = await connect();
  for (const path of ['', '/open_requests', '/notices']) {
    assertRefused(await operator.call('GET', `/connections/ccn_none${path}`), 404, 'connection_not_found');
  }
  const wrong = await operator.call('POST', `/connections/${id}/reconcile`, {
    body: { request_id: 'crq_x', outcome: 'maybe' },
  });
  assertRefused(wrong, 400, 'invalid_body', 'outcome');
});
