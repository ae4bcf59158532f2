import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { pino } from 'pino';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { TEST_SECRET, TEST_SETTINGS, useHarness } from '../../../test/support/harness.ts';
import { silentLog, sql, until } from '../../../test/support/jobs.ts';
import { addConnection } from '../../../test/support/live-network.ts';
import { newPerson, read } from '../../../test/support/messages.ts';
import { fund } from '../../../test/support/money.ts';
import { buyNumber, makeTenant } from '../../../test/support/numbers.ts';
import { REPORTING_KIND, type Report, signReport } from '../../../test/support/reporting-carrier.ts';
import { sleep } from '../../../test/support/stepping-time.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time/time.ts';
import { compose } from '../../server/compose.ts';
import { moveConnection } from '../connections/queries.ts';
import { sweepNotices } from './queries.ts';

const SECRET = 'a secret of the reporting carrier';
// Time stamps of the carrier have whole seconds.
const nowMs = Math.floor(now() / 1_000) * 1_000;
const logged: string[] = [];
const harness = await useHarness({
  log: pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) }),
  liveCarrier: ({ simulated }) => simulated,
  adapterKinds: [REPORTING_KIND],
  clock: { now: () => nowMs },
});
const { db } = harness.context;
const key = harness.account.live_key;
await fund(harness);
const number = await buyNumber(harness, await makeTenant(harness, key), key);
const connection = await addConnection(harness.context, {
  kind: 'reporting',
  name: 'reports',
  credentials: { secret: SECRET },
  capabilities: [],
});
await sql(db, 'update phone_numbers set connection_id = $2 where id = $1', [number.id, connection]);
await harness.connections.refresh();
const ADDRESS = `${harness.url}/carrier/reporting/${connection}`;

let made = 0;
const textFrom = (from: string, body = 'Hello'): Report => {
  const id = `notice-${made++}`;
  return { id, key: from, type: 'text', to: number.phone_number, from, body };
};

async function report(reports: readonly Report[], headers: Record<string, string> = {}, address = ADDRESS) {
  const body = JSON.stringify(reports);
  return fetch(address, { method: 'POST', body, headers: { ...signReport(SECRET, body, nowMs), ...headers } });
}

const stateOf = async ({ id }: Report): Promise<string | undefined> =>
  (await sql<{ state: string }>(db, 'select state from carrier_inbox where notice_id = $1', [id]))[0]?.state;

const untilState = (notice: Report, state: string) =>
  until(`the notice is ${state}`, async () => (await stateOf(notice)) === state);

async function counted(result: string): Promise<number> {
  const { values } = await harness.context.metrics.carrierNotices.get();
  return values.find(({ labels }) => labels.kind === 'reporting' && labels.result === result)?.value ?? 0;
}

async function textsOf(person: string): Promise<string[]> {
  const { data } = await read(harness, `/messages?direction=inbound&limit=100`, key);
  return data.filter(({ from }: { from: string }) => from === person).map(({ body }: { body: string }) => body);
}

test('a notice is stored before its reply and handed over once, however often the carrier repeats it', async () => {
  const notice = textFrom(newPerson());
  assert.equal((await report([notice])).status, 200);
  assert.notEqual(await stateOf(notice), undefined);
  assert.equal((await report([notice])).status, 200);
  await untilState(notice, 'done');
  assert.equal((await report([notice])).status, 200);
  assert.deepEqual(await textsOf(notice.key), ['Hello']);
});

test('notices with one key are handed over in the order of their arrival', async () => {
  const person = newPerson();
  const texts = Array.from({ length: 12 }, (_, index) => textFrom(person, `Text ${index}`));
  for (const text of texts.slice(0, 6)) await report([text]);
  await report(texts.slice(6));
  await untilState(texts.at(-1) as Report, 'done');
  assert.deepEqual(
    (await textsOf(person)).reverse(),
    texts.map((text) => 'body' in text && text.body),
  );
});

for (const [what, headers, status, code] of [
  ['another signature', { 'x-signature': 'a'.repeat(64) }, 401, 'invalid_api_key'],
  ['no signature', { 'x-signature': '' }, 401, 'invalid_api_key'],
] as const) {
  test(`a request with ${what} is refused, and leaves no row`, async () => {
    const notice = textFrom(newPerson());
    const reply = await report([notice], headers);
    assert.deepEqual([reply.status, ((await reply.json()) as { error: { code: string } }).error.code], [status, code]);
    assert.equal(await stateOf(notice), undefined);
  });
}

for (const [offS, status] of [
  [-300, 200],
  [300, 200],
  [-301, 401],
  [301, 401],
] as const) {
  test(`a time stamp that is off by ${offS} s is answered with ${status}`, async () => {
    const notice = textFrom(newPerson());
    const body = JSON.stringify([notice]);
    const headers = signReport(SECRET, body, nowMs + offS * 1_000);
    assert.equal((await fetch(ADDRESS, { method: 'POST', body, headers })).status, status);
    assert.equal((await stateOf(notice)) !== undefined, status === 200);
  });
}

test('refused reports are in the log with their connection: once a minute, and how many there were', async () => {
  const parts = { kind: 'reporting', name: 'misread', credentials: { secret: SECRET }, capabilities: [] };
  const id = await addConnection(harness.context, parts);
  await harness.connections.refresh();
  const told = () =>
    logged
      .map((line) => JSON.parse(line))
      .filter((line) => line.connection === id)
      .map(({ name, reason, count }) => [name, reason, count]);
  const refuse = () => report([textFrom(newPerson())], { 'x-signature': 'wrong' }, ADDRESS.replace(connection, id));
  for (let sent = 0; sent < 3; sent++) assert.equal((await refuse()).status, 401);
  assert.deepEqual(told(), [['misread', 'wrong_signature', 1]]);
  await sleep(60_000);
  await refuse();
  assert.deepEqual(told().slice(1), [['misread', 'wrong_signature', 3]]);
});

test('an unknown connection, or one of another kind, is not found', async () => {
  const other = `${harness.url}/carrier/in_process/${connection}`;
  const none = `${harness.url}/carrier/reporting/ccn_none`;
  for (const address of [other, none]) assert.equal((await report([textFrom(newPerson())], {}, address)).status, 404);
});

test('a report to an unknown connection is answered before its body arrives', async () => {
  const socket = connect(Number(new URL(harness.url).port), '127.0.0.1');
  socket.write('POST /carrier/reporting/ccn_none HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n');
  const [head] = await once(socket, 'data');
  assert.match(String(head), /^HTTP\/1\.1 404 /);
  socket.destroy();
});

test('what is no notice is refused, and so is more than 1 MiB', async () => {
  const send = (body: string) => fetch(ADDRESS, { method: 'POST', body, headers: signReport(SECRET, body, nowMs) });
  assert.equal((await send('hello')).status, 400);
  assert.equal((await report([{ ...textFrom(newPerson()), id: 'x'.repeat(501) }])).status, 400);
  assert.equal((await send(`[${' '.repeat(1024 * 1024)}]`)).status, 413);
  assert.equal((await send('[]')).status, 200);
});

test('a notice of an unknown kind is kept, and means nothing', async () => {
  const weather: Report = { id: 'weather-1', key: 'w', type: 'weather', to: number.phone_number };
  assert.equal((await report([weather])).status, 200);
  await untilState(weather, 'ignored');
});

test('a notice about a number of another connection is kept, counted and logged, and changes nothing', async () => {
  const { phone_number: to } = await buyNumber(harness, await makeTenant(harness, key), key);
  const texts = [to, '+13035559999'].map((other) => ({ ...textFrom(newPerson(), 'STOP'), to: other }));
  const before = await counted('foreign');
  for (const text of texts) {
    assert.equal((await report([text])).status, 200);
    await untilState(text, 'ignored');
    assert.deepEqual(await textsOf(text.key), []);
  }
  assert.equal((await counted('foreign')) - before, texts.length);
  assert.equal(logged.filter((line) => line.includes('that is not of its connection')).length, texts.length);
  assert.deepEqual((await read(harness, '/opt_outs', key)).data, []);
});

test('the end of a call that overtakes its arrival ends the call', async () => {
  const [call, leg] = [newId('call'), newId('call_leg')];
  const to = number.phone_number;
  const ended: Report = { id: `${call}-2`, key: call, type: 'ended', to, leg };
  const arrived: Report = { id: `${call}-1`, key: call, type: 'arrived', to, leg, from: newPerson() };
  await report([ended]);
  await until('it was looked at', async () => (await stateOf(ended)) === 'waiting');
  await report([arrived]);
  await untilState(ended, 'done');
  assert.equal(await stateOf(arrived), 'done');
  await until('the call has ended', async () => (await read(harness, `/calls/${call}`, key)).ended_at !== null);
});

test('a notice about something that never becomes known is dropped after 60 s, and holds up no other', async () => {
  const to = number.phone_number;
  const orphan: Report = { id: 'orphan', key: 'call_orphan', type: 'ended', to, leg: 'leg_orphan' };
  await report([orphan]);
  const other = textFrom(newPerson());
  await report([other]);
  await untilState(other, 'done');
  await untilState(orphan, 'waiting');
  await sql(db, "update carrier_inbox set received_at = received_at - interval '61 s' where notice_id = 'orphan'");
  await untilState(orphan, 'dropped');
});

test('a disabled connection takes no notices, and those it has wait until it is enabled', async () => {
  await db.transaction((tx) => moveConnection(tx, 'reports', 'disabled'));
  await harness.connections.refresh();
  const notice = textFrom(newPerson());
  const refused = await report([notice]);
  assert.equal(refused.status, 503);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  await db.transaction((tx) => moveConnection(tx, 'reports', 'active'));
  await harness.connections.refresh();
  assert.equal((await report([notice])).status, 200);
  await untilState(notice, 'done');
});

test('notices are kept for 7 days, and those that wait until they are handed over', async () => {
  const kept = textFrom(newPerson());
  const old = textFrom(newPerson());
  await report([kept, old]);
  await untilState(kept, 'done');
  await untilState(old, 'done');
  const age = 'update carrier_inbox set received_at = clock_timestamp() - $2::interval where notice_id = $1';
  await sql(db, age, [kept.id, '6 days 23 hours']);
  await sql(db, age, [old.id, '7 days 1 minute']);
  while ((await sweepNotices(db, 1)) > 0);
  assert.equal(await stateOf(kept), 'done');
  assert.equal(await stateOf(old), undefined);
});

test('a process that does not know its connections yet refuses reports for now, so that the carrier repeats them', async () => {
  const product = await compose({
    databaseUrl: harness.databaseUrl,
    secret: TEST_SECRET,
    log: silentLog,
    connectionsMax: 4,
    blobs: { kind: 'folder', folder: tmpdir() },
    settings: TEST_SETTINGS,
    adapterKinds: [REPORTING_KIND],
  });
  closeAfterTests(() => product.close());
  await product.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = product.app.server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/carrier/reporting/${connection}`;
  const notice = textFrom(newPerson());
  const early = await report([notice], {}, address);
  assert.deepEqual([early.status, early.headers.get('retry-after')], [503, '1']);
  await product.connections.refresh();
  assert.equal((await report([notice], {}, address)).status, 200);
  await untilState(notice, 'done');
});
