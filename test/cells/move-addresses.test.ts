/** Addresses that were given out before a move lead to the account after it. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { WebSocket } from 'ws';
import { signAudioUrl } from '../../src/http/edge/signed-links.ts';
import { startCellInstallation } from '../support/cell-installation.ts';
import { until } from '../support/jobs.ts';
import { prepareMoves } from '../support/moves.ts';
import { connectWebClient } from '../support/web-clients.ts';

const installation = await startCellInstallation();
await installation.divide();
const { call, dialplane, productOf, process: server } = installation;
after(() => installation.close());
const { key, accountId, tenantId, number, ledgersOf } = await prepareMoves(installation);

/** Follows the redirection of a request, as browsers and HTTP clients do. */
async function follow(method: string, path: string, options: Parameters<typeof call>[2]) {
  const reply = await call(method, path, options);
  assert.equal(reply.status, 307, `${path} ${JSON.stringify(reply.body)}`);
  const { pathname, search } = new URL(reply.headers.get('location') ?? '');
  return { path: pathname + search, reply: await call(method, pathname + search, options) };
}

const moveTo = async (cell: string) => {
  const moved = await dialplane('cells', 'move', accountId, '--to', cell);
  assert.equal(moved.code, 0, moved.err);
};

test('pages, links, keys and sockets at an old address lead to the new database', async () => {
  const form = await call('POST', '/v1/opt_in_forms', { key, body: { tenant_id: tenantId, name: 'Reminders' } });
  assert.equal(form.status, 201, JSON.stringify(form.body));
  const page = `/opt-in/${form.body.slug}`;
  const { token } = (await call('POST', '/v1/realtime/tokens', { key })).body;
  const ledgerId = (await ledgersOf('first'))[0]?.id as number;
  const link = signAudioUrl(productOf('first').context, { ledgerId, path: '/v1/recordings/rec_none/audio' });
  await moveTo('west');

  assert.equal((await follow('GET', page, { key: null })).path, `/cells/west${page}`);
  const body = { phone_number: '+16025550143', consent: 'yes' };
  const submitted = await follow('POST', page, { key: null, body });
  assert.equal(submitted.reply.status, 201, JSON.stringify(submitted.reply.body));
  const { pathname, search } = new URL(link);
  assert.equal((await follow('GET', pathname + search, { key: null })).reply.body.error.code, 'recording_not_found');

  // The page's link names the new database from now on, and still works after a move back.
  const moved = (await call('GET', `/v1/opt_in_forms/${form.body.id}`, { key })).body;
  assert.match(moved.url, /\/cells\/west\/opt-in\//);
  await moveTo('first');
  assert.equal((await follow('GET', `/cells/west${page}`, { key: null })).path, page);
  const tenants = await follow('GET', '/cells/west/v1/tenants', { key });
  assert.deepEqual([tenants.path, tenants.reply.status], ['/v1/tenants', 200]);
  assert.equal((await call('GET', page, { key: null })).status, 200);

  // Uses a token of the first database at the address of the cell that the account has left.
  const types: string[] = [];
  await until('the cells are read again', async () => server.cells.numberOf(ledgerId) === 0);
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/cells/west/v1/realtime?token=${token}`);
  socket.on('message', (text) => types.push(JSON.parse(String(text)).type));
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  const text = { from: '+16025550143', to: number.phone_number, body: 'Hello' };
  assert.equal((await call('POST', '/v1/test/inbound_messages', { key, body: text })).status, 201);
  await until('the socket gets the event', () => types.includes('message.received'));
  socket.terminate();
});

test('a web client at the address of the database that its account has left logs in there, without a new address', async () => {
  const made = await call('POST', '/v1/web_clients', { key, body: { tenant_id: tenantId } });
  const { token } = (await call('POST', `/v1/web_clients/${made.body.id}/tokens`, { key })).body;
  const ledgerId = (await ledgersOf('first'))[0]?.id as number;
  const register = async (url: string) => {
    const client = await connectWebClient({ url });
    client.send({ type: 'register', token });
    await client.receive('registered');
    await client.close();
  };
  await moveTo('west');
  await until('the cells are read again', async () => server.cells.numberOf(ledgerId) === 2);
  await register(server.url);
  await register(`${server.url}/cells/east`);
  await moveTo('first');
  await until('the cells are read again', async () => server.cells.numberOf(ledgerId) === 0);
  await register(`${server.url}/cells/west`);
});
