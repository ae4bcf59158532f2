/** Texts that people sent while no address worked, so that no attempt of Telnyx reached the installation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeConnection, findConnectionById } from '../../src/carriers/connections/queries.ts';
import { runNow, sql, until } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { newPerson } from '../support/messages.ts';
import { freePort } from '../support/ports.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, harness, connectionId, number, get, withFaults } = await useTelnyxLine();
const { control } = telnyx;
const { db, metrics } = harness.context;
const LIST = 'GET /webhook_deliveries';

/** Another connection to the same account sees the same list. */
const otherId = await addConnection(harness.context, {
  kind: 'telnyx',
  name: 'other',
  settings: { public_url: harness.url, api_url: telnyx.url },
  credentials: { key: telnyx.apiKey, public_key: telnyx.publicKey },
  capabilities: [],
});
await harness.connections.refresh();

/** Changes settings of the connection. */
async function change(changes: Readonly<Record<string, string>>): Promise<void> {
  const { id, settings, credentials } = (await findConnectionById(db, connectionId)) ?? assert.fail();
  await db.transaction((tx) => changeConnection(tx, { id, settings: { ...settings, ...changes }, credentials }));
  await harness.connections.refresh();
}

/** Lets messaging profiles report to other addresses. */
async function moveTo(public_url: string, failover_url: string): Promise<void> {
  await change({ public_url, failover_url });
  await harness.connections
    .list()
    .find(({ id }) => id === connectionId)
    ?.connected.setup();
}

/** A person sends texts whose attempts all fail. */
async function sendInVain(texts: readonly string[]): Promise<string> {
  const from = newPerson();
  await moveTo(`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`);
  for (const text of texts) await control.textIn({ from, to: number.phone_number, text });
  await control.settled({});
  await moveTo(harness.url, harness.url);
  assert.deepEqual(await textsOf(from), []);
  return from;
}

const textsOf = async (person: string): Promise<string[]> =>
  (await get(`/messages?from=${encodeURIComponent(person)}&limit=100`)).data.map(({ body }: { body: string }) => body);

async function recovered(): Promise<number> {
  const { values } = await metrics.carrierNotices.get();
  return values.find(({ labels }) => labels.kind === 'telnyx' && labels.result === 'recovered')?.value ?? 0;
}

type Position = { readonly asked_until: Date; readonly list_until: Date | null; readonly next_page: number };

/** Returns how far a connection has read the list. */
async function position(id: string): Promise<Position> {
  const select = 'select asked_until, list_until, next_page from telnyx_missed_reports where connection_id = $1';
  return (await sql<Position>(db, select, [id]))[0] ?? assert.fail(`${id} has asked for nothing`);
}

/** Runs the next round, as if the pause between two lists were over. */
async function sweep(): Promise<void> {
  await sql(db, "update telnyx_missed_reports set rests_until = clock_timestamp() - interval '1 s'");
  await runNow(db, 'sweep.telnyx_missed_reports');
}

test('texts of an outage are fetched afterwards, each once, and counted; a STOP among them counts', async () => {
  const [first, stop] = [await sendInVain(['Hello', 'Are you there?']), await sendInVain(['STOP'])];
  const attempts = (await control.webhooks({ type: 'message.received' })).length;
  assert.equal(attempts, 3 * 6, 'three attempts at each of two addresses');
  const before = await recovered();
  await sweep();
  await until('all are here', async () => (await textsOf(first)).length + (await textsOf(stop)).length === 3);
  assert.equal((await get(`/opt_outs?external_number=${encodeURIComponent(stop)}`)).data.length, 1);
  assert.equal((await recovered()) - before, 3);
  await sweep();
  await harness.settled();
  assert.equal((await textsOf(first)).length, 2);
  assert.equal((await recovered()) - before, 3, 'a text that is listed again is not counted again');
  const ofOther = await sql(db, 'select 1 from carrier_inbox where connection_id = $1', [otherId]);
  assert.equal(ofOther.length, 0, 'they were reports to the first connection');
});

test('a list that breaks off goes on at the page that failed, and not from its start', async () => {
  const texts = Array.from({ length: 20 }, (_, at) => `Text ${at}`);
  const person = await sendInVain(texts);
  const asked = async () => (await control.requests({ operation: LIST })).length;
  // Moves the connection to its second page, as if a process had ended there.
  await sql(
    db,
    `update telnyx_missed_reports set next_page = 2, list_until = date_trunc('milliseconds', clock_timestamp())
     where connection_id = $1`,
    [connectionId],
  );
  await withFaults([{ request: LIST, is: '500' }], async () => {
    const before = await asked();
    await sweep();
    assert.equal(await asked(), before, 'no page was answered');
    assert.equal((await position(connectionId)).next_page, 2);
  });
  await sweep();
  await harness.settled();
  const here = await textsOf(person);
  assert.ok(here.length > 0 && here.length < texts.length, `${here.length} of the later pages`);
  assert.deepEqual([(await position(connectionId)).next_page, (await position(connectionId)).list_until], [1, null]);
  await sweep();
  await until('the rest is here', async () => (await textsOf(person)).length === texts.length);
});

test('a list that is longer than a turn is read to its end without a pause', async () => {
  const before = await recovered();
  await sendInVain(Array.from({ length: 8 * 20 + 5 }, () => 'Hello'));
  const asked = (await control.requests({ operation: LIST })).length;
  // The other connection is near the end of the list, so the two do not end in one round.
  await sql(
    db,
    `update telnyx_missed_reports set next_page = 20, list_until = date_trunc('milliseconds', clock_timestamp())
     where connection_id = $1`,
    [otherId],
  );
  await sweep();
  assert.equal((await recovered()) - before, 8 * 20 + 5);
  // Both connections have the same list. Neither begins its list again while the other reads it.
  const pages = (await control.requests({ operation: LIST })).length - asked;
  assert.ok(pages < 50, `${pages} pages`);
});

test('a connection whose carrier does not answer keeps no other from its texts', async () => {
  const person = await sendInVain(['Hello']);
  const before = await position(otherId);
  await change({ api_url: `http://127.0.0.1:${await freePort()}` });
  await sweep();
  assert.notEqual((await position(connectionId)).list_until, null, 'its list waits until the carrier answers');
  assert.ok((await position(otherId)).asked_until > before.asked_until, 'the other was asked');
  await change({ api_url: telnyx.url });
  await sweep();
  await until('it is here', async () => (await textsOf(person)).length === 1);
});
