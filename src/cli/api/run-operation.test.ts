import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand, runHere } from '../../../test/support/cli-process.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { makeLine } from '../../../test/support/numbers.ts';
import { freePort } from '../../../test/support/ports.ts';
import { runCli } from '../run.ts';

const port = await freePort();
const harness = await useHarness({ port });
const { tenantId, number } = await makeLine(harness);
const folder = mkdtempSync(join(tmpdir(), 'operations-'));
const env = {
  DIALPLANE_URL: harness.url,
  DIALPLANE_KEY: harness.account.test_key,
  DIALPLANE_DATA: '/nonexistent',
  XDG_CONFIG_HOME: folder,
};

const dialplane = (...words: string[]) => runHere(words, env);

async function json(...words: string[]) {
  const { code, out, err } = await dialplane(...words, '--json');
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

const textTo = (to: string, body = 'Hello') => ['messages', 'send', '--from', number.id, '--to', to, '--body', body];

test('a text is sent and shown, a line for each field', async () => {
  const { code, out, err } = await dialplane(...textTo('+14805551001'), '--metadata', 'appointment=4711');
  assert.equal(code, 0, err);
  assert.match(out, /^id +msg_\w{26}$/m);
  assert.match(out, /^status +queued$/m);
  assert.match(out, /^metadata\.appointment +4711$/m);
  assert.match(out, /^error_code +-$/m);
});

test('--json prints the reply of the API', async () => {
  const sent = await json(...textTo('+14805551002'));
  const { body } = await harness.call('GET', `/v1/messages/${sent.id}`);
  const shown = await json('messages', 'get', sent.id);
  assert.deepEqual({ ...shown, status: '', status_history: [] }, { ...body, status: '', status_history: [] });
});

test('a list is a table; more pages are named, and all are printed with --all', async () => {
  for (const name of ['Ann', 'Bob', 'Cyd']) await json('tenants', 'create', '--name', name);
  const { code, out, err } = await dialplane('tenants', 'list', '--limit', '2');
  assert.equal(code, 0);
  assert.match(out, /^id +name +created_at$/m);
  assert.equal(out.trim().split('\n').length, 3);
  assert.match(err, /^There is more: --after \S+, or --all\.$/m);
  const page = await json('tenants', 'list', '--limit', '2');
  assert.deepEqual([page.data.length, page.has_more], [2, true]);
  const next = await json('tenants', 'list', '--limit', '2', '--after', page.next_cursor);
  assert.ok(!next.data.some(({ id }: { id: string }) => id === page.data[0].id));
  const all = await json('tenants', 'list', '--limit', '2', '--all');
  assert.deepEqual([all.data.length >= 4, all.has_more, all.next_cursor], [true, false, null]);
});

test('a refusal has its code, message, fields, request id and page, and exit code 1', async () => {
  const words = ['e911-addresses', 'create', '--tenant-id', tenantId, '--data', '{"street":1,"city":2}'];
  const more = ['--state', 'AZ', '--postal-code', '85004'];
  const { code, out, err } = await dialplane(...words, ...more);
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, /^invalid_body: /);
  assert.match(err, /^ {2}street +\S.*$/m);
  assert.match(err, /^ {2}city +\S.*$/m);
  assert.match(err, /^ {2}request +req_\w+$/m);
  assert.match(err, /^ {2}see +http\S+\/docs\/errors\/invalid_body$/m);
  const one = await dialplane(...textTo('nobody'));
  assert.match(one.err, /^ {2}field +to$/m);
  const machine = await dialplane(...textTo('nobody'), '--json');
  assert.equal(machine.code, 1);
  assert.equal(JSON.parse(machine.out).error.code, 'invalid_to');
});

test('a server that is away is named', async () => {
  const { code, err } = await dialplane('tenants', 'list', '--url', `http://127.0.0.1:${await freePort()}`);
  assert.equal(code, 1);
  assert.match(err, /^http:\/\/127\.0\.0\.1:\d+ does not answer: .*ECONNREFUSED.*Is the server running\?/);
});

test('a request that the server is too busy for is repeated with the same Idempotency-Key', async () => {
  const keys: unknown[] = [];
  const busy = createServer((request, reply) => {
    keys.push(request.headers['idempotency-key']);
    reply.writeHead(keys.length < 3 ? 503 : 201, { 'retry-after': '0' }).end('{"id":"tnt_1"}');
  });
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`;
  const { code, out, err } = await dialplane('tenants', 'create', '--name', 'One', '--url', url, '--json');
  busy.close();
  assert.deepEqual([code, out], [0, '{"id":"tnt_1"}\n'], err);
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
  assert.match(err, /The server is busy; trying again in 0 s/);
});

test('a reply that is not of the API is reported as such', async () => {
  const proxy = createServer((_request, reply) => reply.writeHead(502).end('<h1>Bad gateway</h1>'));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const { code, err } = await dialplane('tenants', 'list', '--url', url);
  proxy.close();
  assert.equal(code, 1);
  assert.match(err, /answered 502, not as the API: <h1>Bad gateway/);
});

test('one Idempotency-Key sends once, and without one each command sends', async () => {
  const first = await json(...textTo('+14805551003'), '--idempotency-key', 'once');
  const second = await json(...textTo('+14805551003'), '--idempotency-key', 'once');
  assert.equal(second.id, first.id);
  assert.notEqual((await json(...textTo('+14805551003'))).id, first.id);
});

test('the body can come from a file or from standard input, with options beside it', async () => {
  const file = join(folder, 'tenant.json');
  writeFileSync(file, JSON.stringify({ name: 'Of the file', metadata: { plan: 'pro' } }));
  const made = await json('tenants', 'create', '--data', `@${file}`, '--name', 'Of the option');
  assert.deepEqual([made.name, made.metadata], ['Of the option', { plan: 'pro' }]);
  const words = ['tenants', 'create', '--data', '-', '--json'];
  const piped = await runCommand(words, env, { input: '{"name":"Of the pipe"}' });
  assert.equal(JSON.parse(piped.out).name, 'Of the pipe', piped.err);
  const missing = await dialplane('tenants', 'create', '--data', '@/nonexistent/file');
  assert.equal(missing.code, 1);
  assert.match(missing.err, /\/nonexistent\/file cannot be read/);
});

test('what replies nothing says that it is done, with --json null', async () => {
  const ids = [
    await json('tenants', 'create', '--name', 'To delete'),
    await json('tenants', 'create', '--name', 'Too'),
  ];
  const shown = await dialplane('tenants', 'delete', ids[0].id);
  assert.deepEqual([shown.code, shown.out], [0, 'Delete a tenant: done.\n']);
  assert.equal(await json('tenants', 'delete', ids[1].id), null);
  assert.equal((await dialplane('tenants', 'get', ids[0].id)).code, 1);
});

test('a user is asked before something of a live key is deleted', async () => {
  const key = harness.account.live_key;
  const { body } = await harness.call('POST', '/v1/tenants', { key, body: { name: 'Live' } });
  const asked: string[] = [];
  const answering = async (answer: boolean, ...more: string[]) => {
    const words = ['tenants', 'delete', body.id, '--url', harness.url, '--key', key, ...more];
    const confirm = async (question: string) => {
      asked.push(question);
      return answer;
    };
    return runCli(words, { confirm, out: () => undefined, err: () => undefined });
  };
  const status = async () => (await harness.call('GET', `/v1/tenants/${body.id}`, { key })).status;
  assert.equal(await answering(false), 1);
  assert.deepEqual([asked, await status()], [[`Delete a tenant (${body.id}) with a live key of ${harness.url}?`], 200]);
  assert.equal(await answering(false, '--yes'), 0);
  assert.deepEqual([asked.length, await status()], [1, 404]);
});

test('the address of a webhook endpoint is its own, not that of the server', async () => {
  const url = 'https://platform.example/hooks';
  const words = ['webhook-endpoints', 'create', '--url', url, '--enabled-events', 'message.received'];
  const made = await json(...words, '--enabled-events', 'message.failed');
  assert.deepEqual([made.url, made.enabled_events], [url, ['message.received', 'message.failed']]);
});

test('a text of a stranger cannot steer the terminal', async () => {
  const body = 'Hi \u001b[2J\u009b31mred\nline';
  await harness.call('POST', '/v1/test/inbound_messages', {
    body: { from: '+16025550177', to: number.phone_number, body },
  });
  const [message] = (await json('messages', 'list', '--direction', 'inbound')).data;
  for (const words of [
    ['messages', 'get', message.id],
    ['messages', 'list'],
  ]) {
    const { out } = await dialplane(...words);
    assert.match(out, /Hi \ufffd\[2J\ufffd31mred/);
    assert.ok(!out.includes('\u001b') && !out.includes('\u009b'));
  }
});

test('a file is not printed unless that is asked for', async () => {
  const printed = await dialplane('voicemails', 'get-audio', 'vm_none');
  assert.equal(printed.code, 2);
  assert.match(printed.err, /--output is missing/);
  const unknown = await dialplane('voicemails', 'get-audio', 'vm_none', '--output', join(folder, 'none'));
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /^voicemail_not_found: /);
});
