import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { startHarness, useHarness } from '../../../test/support/harness.ts';
import { sql, until } from '../../../test/support/jobs.ts';
import { makeTenant } from '../../../test/support/numbers.ts';
import { skippedBy } from '../../../test/support/stepping-time.ts';
import {
  connectWebClient,
  forged,
  logIn,
  makeWebClient,
  mintLogin,
  untilLoggedOut,
} from '../../../test/support/web-clients.ts';
import { now } from '../../lib/time/time.ts';

let nowMs = now();
const clock = { now: () => nowMs };
const harness = await useHarness({ clock, startWorkers: false });
const there = await useHarness({ clock, startWorkers: false, databaseUrl: harness.databaseUrl });

const newWebClient = async () => makeWebClient(harness, await makeTenant(harness));
/** The harness, with the address of the other process. */
const elsewhere = () => ({ ...harness, url: there.url });

test('a web client registers with its token, in the query or in a message', async () => {
  const { id } = await newWebClient();
  const webClient = await connectWebClient(harness);
  webClient.send({ type: 'answer', call_id: 'call_x' });
  assert.equal((await webClient.receive('error')).code, 'not_registered');
  webClient.send({ type: 'register', token: await mintLogin(harness, id) });
  const registered = await webClient.receive('registered');
  assert.equal(registered.web_client_id, id);
  assert.equal(Date.parse(registered.expires_at), nowMs + 12 * 3_600_000);
  await webClient.close();
  await (await logIn(harness, id)).close();
});

test('a token that is altered, expired, revoked or of another kind is refused with 4401', async () => {
  const { id } = await newWebClient();
  const good = await mintLogin(harness, id);
  const { token: realtime } = (await harness.call('POST', '/v1/realtime/tokens')).body;
  for (const token of ['x', realtime, forged(good), '']) {
    assert.equal(await (await connectWebClient(harness, token)).closed, 4401, token);
  }
  nowMs += 300_000;
  assert.equal(await (await connectWebClient(harness, good)).closed, 4401);
  const fresh = await mintLogin(harness, id);
  await harness.call('DELETE', `/v1/web_clients/${id}`);
  assert.equal(await (await connectWebClient(harness, fresh)).closed, 4401);
});

test('revoking logs a web client out of any process within five seconds', async () => {
  const [one, two] = [await newWebClient(), await newWebClient()];
  const [here, away] = [await logIn(harness, one.id), await logIn(elsewhere(), two.id)];
  for (const { id } of [one, two]) await harness.call('DELETE', `/v1/web_clients/${id}`);
  const closed = Promise.all([here.closed, away.closed]);
  assert.ok((await skippedBy(closed)) < 5_000);
  assert.deepEqual(await closed, [4403, 4403]);
});

test('revoking logs a web client out within five seconds even if the signal is lost', async () => {
  const { id } = await newWebClient();
  const webClient = await logIn(elsewhere(), id);
  await sql(harness.context.db, `update web_clients set status = 'revoked' where id = $1`, [id]);
  assert.ok((await skippedBy(webClient.closed)) < 5_000);
  assert.equal(await webClient.closed, 4403);
});

test('deleting the tenant logs its web clients out', async () => {
  const tenantId = await makeTenant(harness);
  const webClient = await logIn(elsewhere(), (await makeWebClient(harness, tenantId)).id);
  await harness.call('DELETE', `/v1/tenants/${tenantId}`);
  assert.equal(await webClient.closed, 4403);
});

test('a web client has one session: a newer login replaces the older, in any process', async () => {
  const { id } = await newWebClient();
  const first = await logIn(harness, id);
  const second = await logIn(elsewhere(), id);
  assert.equal(await first.closed, 4409);
  const third = await logIn(elsewhere(), id);
  assert.equal(await second.closed, 4409);
  const rows = await sql(harness.context.db, 'select 1 from web_client_sessions where web_client_id = $1', [id]);
  assert.equal(rows.length, 1);
  assert.equal(third.socket.readyState, WebSocket.OPEN);
  await third.close();
});

test('closing the socket deletes the session', async () => {
  const { id } = await newWebClient();
  await (await logIn(harness, id)).close();
  await untilLoggedOut(harness, id);
});

test('sessions are renewed while another web client of the process is locked', async () => {
  const [held, other] = [await newWebClient(), await newWebClient()];
  const [one, two] = [await logIn(harness, held.id), await logIn(harness, other.id)];
  const { db } = harness.context;
  const seenAt = async () => {
    const text = 'select seen_at from web_client_sessions where web_client_id = $1';
    return (await sql<{ seen_at: Date }>(db, text, [other.id]))[0]?.seen_at.getTime() as number;
  };
  await db.transaction(async (tx) => {
    const text = 'select 1 from web_client_sessions where web_client_id = $1 for update';
    await tx.query({ name: '', text }, [held.id]);
    const before = await seenAt();
    await until('the other is renewed', async () => (await seenAt()) > before);
  });
  assert.equal(one.socket.readyState, WebSocket.OPEN);
  await Promise.all([one.close(), two.close()]);
});

test('a session ends after twelve hours', async () => {
  const webClient = await logIn(harness, (await newWebClient()).id);
  nowMs += 12 * 3_600_000;
  assert.equal(await webClient.closed, 4408);
});

test('a malformed message closes the socket, and the close frame says why', async () => {
  const { id } = await newWebClient();
  for (const [bytes, reason] of [
    ['', 'not a JSON object'],
    ['x', 'not a JSON object'],
    ['[]', 'not a JSON object'],
    [Buffer.from('{"type":"register"}'), 'messages are JSON text'],
  ] as const) {
    const webClient = await logIn(harness, id);
    const closed = once(webClient.socket, 'close');
    webClient.socket.send(bytes);
    const [code, text] = await closed;
    assert.deepEqual([code, String(text)], [1008, reason]);
  }
  const long = await logIn(harness, id);
  long.socket.send('x'.repeat(5_000));
  assert.equal(await long.closed, 1009);
});

test('an invalid message is answered with an error, and the session continues', async () => {
  const webClient = await logIn(harness, (await newWebClient()).id);
  for (const [request, code, echo] of [
    [{ type: 'place', to: 5, ref: 'mine' }, 'invalid_body', { request: 'place', ref: 'mine' }],
    [{ type: 'dtmf', call_id: 'call_x', digits: 'x' }, 'invalid_body', { request: 'dtmf', call_id: 'call_x' }],
    [{ type: 'mute', call_id: 'call_x' }, 'missing_fields', { request: 'mute', call_id: 'call_x' }],
    [{ type: 'sing', ref: 'new' }, 'invalid_body', { request: 'sing', ref: 'new' }],
    [{}, 'missing_fields', { request: null }],
  ] as const) {
    webClient.socket.send(JSON.stringify(request));
    const { message, ...error } = await webClient.receive('error');
    assert.deepEqual(error, { type: 'error', code, ...echo });
    assert.ok(message.endsWith('.'));
  }
  webClient.send({ type: 'answer', call_id: 'call_x' });
  const { code, request, call_id } = await webClient.receive('error');
  assert.deepEqual([code, request, call_id], ['call_not_found', 'answer', 'call_x']);
  await webClient.close();
});

test('in a flood each message beyond the limit is refused, and the session continues', async () => {
  const webClient = await logIn(harness, (await newWebClient()).id);
  for (let n = 0; n < 5_000; n++) webClient.send({ type: 'hang_up', call_id: `call_${n}` });
  const errors = () => webClient.messages.filter((message) => message.type === 'error');
  await until('each is answered', () => errors().length === 5_000);
  const limited = errors().filter(({ code }) => code === 'rate_limited');
  assert.ok(limited.length > 4_000, `${limited.length}`);
  assert.deepEqual([limited.at(-1)?.request, limited.at(-1)?.call_id], ['hang_up', 'call_4999']);
  await until('requests are carried out again', () => {
    webClient.send({ type: 'hang_up', call_id: 'call_y' });
    return errors().some(({ code, call_id }) => code === 'call_not_found' && call_id === 'call_y');
  });
  await webClient.close();
});

test('messages that arrive during the login are bounded, and the login continues', async () => {
  const { id } = await newWebClient();
  const webClient = await connectWebClient(harness, await mintLogin(harness, id));
  for (let n = 0; n < 3_000; n++) webClient.send({ type: 'hang_up', call_id: 'call_x' });
  await webClient.receive('registered');
  await until('all is answered', () => webClient.messages.filter(({ type }) => type === 'error').length === 3_000);
  await webClient.close();
});

test('a process that shuts down closes its web clients with 1012', async () => {
  const going = await startHarness({ clock, startWorkers: false, databaseUrl: harness.databaseUrl });
  const { id } = await newWebClient();
  const webClient = await logIn({ ...harness, url: going.url }, id);
  await going.close();
  assert.equal(await webClient.closed, 1012);
  await (await logIn(harness, id)).close();
});

test('a handshake on any other path is an ordinary request', async () => {
  const socket = new WebSocket(`${harness.url.replace('http', 'ws')}/v1/softphones`);
  const [, response] = await once(socket, 'unexpected-response');
  assert.equal(response.statusCode, 401);
  socket.on('error', () => undefined);
  socket.terminate();
});
