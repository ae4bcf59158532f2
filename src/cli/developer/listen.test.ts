import assert from 'node:assert/strict';
import { test } from 'node:test';
import { webhooks } from '../../../packages/sdk/src/index.ts';
import { runHere } from '../../../test/support/cli-process.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import { makeLine } from '../../../test/support/numbers.ts';
import { freePort } from '../../../test/support/ports.ts';
import { useReceiver } from '../../../test/support/receiver.ts';
import { startCommandHere } from '../../../test/support/running-command.ts';

const port = await freePort();
const harness = await useHarness({ port });
const receiver = await useReceiver();
const { tenantId, number } = await makeLine(harness);

/** Starts the command with `--json`. */
async function listen(...more: string[]) {
  const server = ['--url', harness.url, '--key', harness.account.test_key];
  const command = startCommandHere(['listen', '--forward-to', receiver.url, '--json', ...server, ...more]);
  const lines = (): Record<string, unknown>[] => command.out.map((line) => JSON.parse(line));
  await until('the command has told its secret', () => command.out.length > 0 || command.hasEnded(), 30_000);
  return { ...command, lines, secret: String(lines()[0]?.['secret']) };
}

const NOWHERE = { DIALPLANE_DATA: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };

const textIn = (body: string) =>
  harness.call('POST', '/v1/test/inbound_messages', { body: { from: '+16025550143', to: number.phone_number, body } });

test('each event arrives once, signed with the printed secret', async () => {
  const { out, lines, secret, stop, err } = await listen('--events', 'message.*', '--tenant', tenantId);
  await textIn('one');
  await until('it arrives', () => receiver.received.length === 1);
  const [first = assert.fail()] = receiver.received;
  const event = await webhooks.unwrap(first.body, first.headers, secret);
  assert.deepEqual([event.type, (event.data as { body: string }).body], ['message.received', 'one']);
  await textIn('two');
  await until('the next arrives', () => receiver.received.length === 2);
  await assert.rejects(webhooks.unwrap(first.body, first.headers, 'whsec_b3RoZXI='));
  await until('both are shown', () => out.length === 3);
  assert.deepEqual(
    lines()
      .slice(1)
      .map(({ type, status }) => [type, status]),
    [
      ['message.received', 200],
      ['message.received', 200],
    ],
  );
  assert.equal(await stop(), 0, err.join('\n'));
});

test('the answer of a receiver that fails is shown, and the last events can be sent again', async () => {
  const before = receiver.received.length;
  receiver.answer({ status: 500 });
  const { out, lines, stop } = await listen('--replay', '2', '--events', 'message.received');
  await until('both are shown', () => out.length === 3);
  assert.deepEqual(
    lines()
      .slice(1)
      .map(({ status }) => status),
    [500, 500],
  );
  assert.deepEqual(
    receiver.received.slice(before).map(({ event }) => event.data['body']),
    ['one', 'two'],
  );
  assert.equal(await stop(), 0);
});

test('a wrong command line or key says what to do', async () => {
  const forward = ['--forward-to', '3000', '--url', harness.url];
  for (const [words, code, said] of [
    [[], 2, /--forward-to is missing/],
    ...['nowhere at all', 'nonsense', 'nonsense/hooks', 'ftp://localhost', '99999', '0'].map(
      (target) => [['--forward-to', target], 2, /--forward-to is ".*"; give an address such as/] as const,
    ),
    ...['localhost', 'web:3000', 'http://web/hooks', '127.0.0.1/hooks', 'phone.example', '3000'].map(
      (target) => [['--forward-to', target], 1, /There is no key/] as const,
    ),
    [[...forward, '--replay', '101'], 2, /at most 100/],
    [
      [...forward, '--events', 'message.*,mesage.received'],
      2,
      /no event mesage\.received\. Did you mean message\.received\? "/,
    ],
    [[...forward, '--secret', 'whsec_short'], 2, /at least 24 bytes/],
    [[...forward, '--key', 'svc_test_wrong'], 1, /answered 401/],
    [forward, 1, /There is no key/],
  ] as const) {
    const outcome = await runHere(['listen', ...words], { ...NOWHERE, DIALPLANE_KEY: '' });
    assert.equal(outcome.code, code, words.join(' '));
    assert.match(outcome.err, said);
  }
});
