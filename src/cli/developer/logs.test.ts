import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHere } from '../../../test/support/cli-process.ts';
import type { Json } from '../../../test/support/events.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import { makeLine, makeTenant } from '../../../test/support/numbers.ts';
import { startCommand } from '../../../test/support/running-command.ts';

const harness = await useHarness();
const { tenantId, number } = await makeLine(harness);
const access = ['--url', harness.url, '--key', harness.account.test_key];

/** Runs the command to its end and returns the lines of its output. */
async function logs(...words: string[]): Promise<string[]> {
  const { code, out, err } = await runHere(['logs', ...access, ...words], { NO_COLOR: '' });
  assert.equal(code, 0, err);
  return out.trimEnd().split('\n');
}

const send = (body: string) =>
  harness.call('POST', '/v1/messages', { body: { from: number.id, to: '+16025550143', body } });

test('a request and the events that it caused are shown in their order, without colours off a terminal', async () => {
  const { headers, body } = await send('Hello');
  await until('the text is delivered', async () => (await logs('--events')).some((line) => /delivered/.test(line)));
  const lines = await logs('--last', '5');
  const at = lines.findIndex((line) => line.includes(headers.get('request-id') as string));
  assert.match(String(lines[at]), /^\d\d:\d\d:\d\d {2}201 {2}POST {4}\/v1\/messages {2}\d+ ms {2}req_\w+$/);
  const rest = lines.slice(at + 1).filter((line) => line.includes(body.id));
  assert.match(String(rest.at(-1)), /^\d\d:\d\d:\d\d {2}event {8}message\.delivered {2}msg_\w+ {2}evt_\w+$/);
});

test('filters narrow the requests, and leave out the events', async () => {
  await harness.call('GET', '/v1/messages/msg_none');
  await harness.call('POST', '/v1/tenants', { body: {} });
  const other = await makeTenant(harness);
  const shown = async (...words: string[]): Promise<Json[]> =>
    (await logs('--json', ...words)).filter((line) => line !== '').map((line) => JSON.parse(line));
  const kinds = (lines: Json[]) => new Set(lines.map(({ object }) => object));
  assert.deepEqual(kinds(await shown()), new Set(['request_log_entry', 'event']));
  assert.deepEqual(kinds(await shown('--requests')), new Set(['request_log_entry']));
  assert.deepEqual(kinds(await shown('--events')), new Set(['event']));
  assert.deepEqual(kinds(await shown('--method', 'post', '--events')), new Set(['request_log_entry', 'event']));
  const failed = await shown('--status', '4xx');
  assert.deepEqual(
    failed.map(({ method, route }) => [method, route]),
    [
      ['GET', '/v1/messages/{message_id}'],
      ['POST', '/v1/tenants'],
    ],
  );
  assert.deepEqual(await shown('--path', 'messages/{message_id}', '--error', 'message_not_found'), failed.slice(0, 1));
  assert.deepEqual(await shown('--method', 'delete'), []);
  assert.ok((await shown('--tenant', tenantId, '--last', '100')).every(({ tenant_id }) => tenant_id === tenantId));
  assert.deepEqual(
    (await shown('--requests', '--tenant', other)).map(({ path }) => path),
    ['/v1/tenants'],
  );
});

test('with --follow each new request and event is shown once, as it happens', async () => {
  const command = startCommand(['logs', '--follow', '--last', '0', '--json', ...access]);
  await until('it follows', () => command.err.length === 1 || command.hasEnded(), 30_000);
  const { headers, body } = await send('Live');
  const shown = (): Json[] => command.out.map((line) => JSON.parse(line));
  const about = () =>
    shown().filter(({ id, resource_id }) => id === headers.get('request-id') || resource_id === body.id);
  await until('the request and its events are shown', () => about().some(({ type }) => type === 'message.delivered'));
  await until('the request is shown', () => about().some(({ object }) => object === 'request_log_entry'));
  assert.equal(new Set(shown().map(({ id }) => id)).size, command.out.length);
  // The requests of the command itself are not shown.
  assert.deepEqual(
    shown().filter(({ object, method }) => object === 'request_log_entry' && method === 'GET'),
    [],
  );
  assert.equal(await command.stop(), 0);
});

test('a path that the server does not have is refused, with those that are similar', async () => {
  for (const [path, said] of [
    ['/v1/messages/{id}', /no path \/v1\/messages\/\{id\}\. Below \/v1\/messages there are .*\{message_id\}/],
    ['/v1/mesages', /no path \/v1\/mesages\. Did you mean \/v1\/messages\?/],
    ['mesages/{id}', /no path \/v1\/mesages\/\{id\}\. Below \/v1\/messages there are .*\{message_id\}/],
    ['calls/{call_id}/hangups', /Below \/v1\/calls there are .*\/hangup/],
    ['nowhere', /no path \/v1\/nowhere\. \S+\/docs\/operations lists all/],
  ] as const) {
    const { code, err } = await runHere(['logs', ...access, '--path', path], {});
    assert.equal(code, 1);
    assert.match(err, said);
  }
});

test('a wrong command line says what to do', async () => {
  for (const [words, said] of [
    [['--status', 'red'], /--status takes a status such as 404/],
    [['--method', 'FETCH'], /--method takes one of GET, /],
    [['--path', '/v1/messages/msg_01m7ymdneje0099t4p6kzbswy2'], /names in place of ids/],
    [['--last', '101'], /up to 100/],
  ] as const) {
    const { code, err } = await runHere(['logs', ...access, ...words], {});
    assert.equal(code, 2, words.join(' '));
    assert.match(err, said);
  }
});
