import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveriesOf, happen, type Json, register } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { until } from '../../../../test/support/jobs.ts';
import { startReceiver } from '../../../../test/support/receiver.ts';
import { RECEIVER_CERTIFICATE } from '../../../../test/support/receiver-certificate.ts';

const ADDRESSES: Readonly<Record<string, string>> = {
  'receiver.test': '127.0.0.1',
  'inside.test': '10.0.0.1',
  'metadata.test': '169.254.169.254',
};

const harness = await useHarness({
  ca: RECEIVER_CERTIFICATE,
  lookup: async (hostname) => {
    const address = ADDRESSES[hostname];
    return address === undefined ? [] : [{ address, family: 4 }];
  },
});

const query = <Row>(text: string, values: readonly unknown[] = []) =>
  harness.context.db.query<Row>({ name: '', text }, values);

const remove = (id: string) => harness.call('DELETE', `/v1/webhook_endpoints/${id}`);

async function firstAttempt(endpointId: string): Promise<Json> {
  let found: Json;
  await until('an attempt is recorded', async () => {
    found = (await deliveriesOf(harness, endpointId))[0];
    return found?.attempts.length > 0;
  });
  return found;
}

test('of ten receivers, one that never answers and one that is slow do not delay the others', async () => {
  const receivers = await Promise.all(Array.from({ length: 10 }, () => startReceiver()));
  const [dead, slow, ...quick] = receivers;
  assert.ok(dead && slow);
  dead.answer({ hang: true });
  slow.answer({ delayMs: 1_500 });
  const endpoints = await Promise.all(receivers.map(({ url }) => register(harness, { url })));
  try {
    const resources = Array.from({ length: 60 }, (_, n) => ({ resource: `r${n}` }));
    await happen(harness, ...resources, ...resources);
    await Promise.all(quick.map((receiver) => receiver.arrived(120, 60_000)));
    assert.equal(dead.givenUp.length, 0, 'the one that never answers still hangs');
    for (const { received } of quick) {
      const last = new Map<string, number>();
      for (const { event } of received) {
        assert.equal(event.sequence, (last.get(event.resource_id) ?? 0) + 1);
        last.set(event.resource_id, event.sequence);
      }
    }
  } finally {
    await Promise.all(endpoints.map(({ id }) => remove(id)));
    dead.release();
    await Promise.all(receivers.map((receiver) => receiver.close()));
  }
});

test('resources whose events are never answered delay no other resource of their endpoint', async () => {
  const receiver = await startReceiver();
  receiver.answer(({ event }) => (event.resource_id.startsWith('stuck') ? { hang: true } : {}));
  const endpoint = await register(harness, { url: receiver.url });
  const arrivals = (start: string) =>
    receiver.received.filter(({ event }) => event.resource_id.startsWith(start)).length;
  const stuck = Array.from({ length: 20 }, (_, n) => ({ resource: `stuck ${n}` }));
  const sendOthers = async (when: string) => {
    await happen(harness, ...Array.from({ length: 5 }, (_, n) => ({ resource: `${when} ${n}` })));
    await until(`others arrive ${when}`, () => arrivals(when) === 5, 60_000);
    assert.equal(receiver.givenUp.length, 0, 'all that hang still do');
  };
  try {
    await happen(harness, ...stuck);
    await sendOthers('at once');
    await until('all that hang are sent', () => arrivals('stuck') === 20);
    receiver.release();
    // The receivers hang again, even after several repeats of the deliveries.
    await until('they hang again', () => arrivals('stuck') === 40);
    await sendOthers('again');
    receiver.release();
    await until('and again', () => arrivals('stuck') === 60);
    await happen(harness, ...stuck.map(({ resource }) => ({ resource: `${resource} more` })));
    await sendOthers('beside more');
  } finally {
    await remove(endpoint.id);
    await receiver.close();
  }
});

test('a hundred resources that begin to hang at once do not stop the others of their endpoint', async () => {
  const receiver = await startReceiver();
  receiver.answer(({ event }) => (event.resource_id.startsWith('stuck') ? { hang: true } : {}));
  const endpoint = await register(harness, { url: receiver.url });
  const others = () => receiver.received.filter(({ event }) => !event.resource_id.startsWith('stuck')).length;
  try {
    for (const wave of [1, 2]) {
      const stuck = Array.from({ length: 100 }, (_, n) => ({ resource: `stuck ${wave} ${n}` }));
      await happen(harness, ...stuck);
      await happen(harness, ...Array.from({ length: 5 }, (_, n) => ({ resource: `fine ${wave} ${n}` })));
      await until(`others arrive beside wave ${wave}`, () => others() === wave * 5, 60_000);
      const isOver = receiver.givenUp.some(({ event }) => event.resource_id.startsWith(`stuck ${wave}`));
      assert.equal(isOver, false, `all of wave ${wave} still hang`);
    }
  } finally {
    await remove(endpoint.id);
    await receiver.close();
  }
});

test('a host name that resolves to a private address is never connected to', async () => {
  for (const host of ['inside.test', 'metadata.test', 'nowhere.test']) {
    const endpoint = await register(harness, { url: `https://${host}/hooks` });
    await happen(harness, { resource: host });
    const { attempts } = await firstAttempt(endpoint.id);
    assert.equal(attempts[0].response_status, null);
    assert.match(
      attempts[0].error,
      host === 'nowhere.test' ? /could not be resolved/ : /does not resolve to public addresses/,
    );
    await remove(endpoint.id);
  }
});

test('an https receiver whose certificate matches its name gets its deliveries', async () => {
  const receiver = await startReceiver({ tls: true });
  const endpoint = await register(harness, { url: `https://receiver.test:${receiver.port}/hooks` });
  try {
    await happen(harness, { resource: 'tls' });
    await receiver.arrived(1);
  } finally {
    await remove(endpoint.id);
    await receiver.close();
  }
});

test('a certificate for another name is a failure', async () => {
  const receiver = await startReceiver({ tls: true });
  const endpoint = await register(harness, { url: `https://localhost:${receiver.port}/hooks` });
  try {
    await happen(harness, { resource: 'other name' });
    const { attempts } = await firstAttempt(endpoint.id);
    assert.equal(attempts[0].error, 'The TLS handshake failed.');
    assert.equal(receiver.received.length, 0);
  } finally {
    await remove(endpoint.id);
    await receiver.close();
  }
});

test('a worker that lost its lease to another changes nothing', async () => {
  const receiver = await startReceiver();
  receiver.answer({ hang: true });
  const endpoint = await register(harness, { url: receiver.url });
  try {
    await happen(harness, { resource: 'fenced' });
    await receiver.arrived(1);
    receiver.answer({ status: 500, headers: { 'retry-after': '3600' } });
    await query(`update lanes set lease_token = 'another', run_at = now() + interval '1 second' where group_id = $1`, [
      endpoint.id,
    ]);
    receiver.release(200);
    await receiver.arrived(2);
    const { status, attempts } = await firstAttempt(endpoint.id);
    assert.equal(status, 'failed');
    assert.deepEqual(
      attempts.map(({ response_status }: Json) => response_status),
      [500],
    );
  } finally {
    await remove(endpoint.id);
    await receiver.close();
  }
});

test('a delivery that was being sent when a process died is sent again', async () => {
  const receiver = await startReceiver();
  const endpoint = await register(harness, { url: receiver.url });
  const call = (status: string) =>
    harness.call('PATCH', `/v1/webhook_endpoints/${endpoint.id}`, { body: { url: receiver.url, status } });
  try {
    await call('disabled');
    await happen(harness, { resource: 'orphan' });
    await until('it is paused', async () => {
      const rows = await query<{ paused: boolean }>(
        `select paused from lanes where group_id = $1 and lane_key = 'orphan'`,
        [endpoint.id],
      );
      return rows[0]?.paused === true;
    });
    // The state after a process died right after its claim.
    await query(
      `update lanes set paused = false, lease_token = 'dead', run_at = now() - interval '1 second'
       where group_id = $1 and lane_key = 'orphan'`,
      [endpoint.id],
    );
    await call('active');
    await until('it arrives', () => receiver.received.some(({ event }) => event.resource_id === 'orphan'));
  } finally {
    await remove(endpoint.id);
    await receiver.close();
  }
});

test('an endpoint deleted while an event for it is being emitted leaves no rows behind', async () => {
  const receiver = await startReceiver();
  const endpoint = await register(harness, { url: receiver.url });
  try {
    await remove(endpoint.id);
    const [event] = await happen(harness, { resource: 'too late' });
    // The state after a transaction that read the endpoint before its deletion and committed after it.
    await query(
      `with d as (
         insert into deliveries (ledger_id, id, endpoint_id, event_id)
         select ledger_id, 'whd_late', $1, id from events where id = $2),
       w as (
         insert into waiting_deliveries (ledger_id, endpoint_id, resource_id, sequence, delivery_id, event_id)
         select ledger_id, $1, resource_id, sequence, 'whd_late', id from events where id = $2
         returning ledger_id, endpoint_id, resource_id)
       insert into lanes (ledger_id, kind, group_id, lane_key, pending, run_at)
       select ledger_id, 'webhook', endpoint_id, resource_id, 1, now() from w`,
      [endpoint.id, event?.id],
    );
    harness.context.db.signal({ topic: 'lanes', payload: 'webhook' });
    await until('the lane is gone', async () => {
      return (await query('select 1 from lanes where group_id = $1', [endpoint.id])).length === 0;
    });
    const rows = await query(`select status from deliveries where id = 'whd_late'`);
    assert.deepEqual(rows, [{ status: 'given_up' }]);
    assert.equal(receiver.received.length, 0);
  } finally {
    await receiver.close();
  }
});
