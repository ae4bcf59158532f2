import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn, readCall, ringing, route } from '../../../test/support/calls.ts';
import { runHere } from '../../../test/support/cli-process.ts';
import type { Json } from '../../../test/support/events.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import { read } from '../../../test/support/messages.ts';
import { makeLine } from '../../../test/support/numbers.ts';
import { startCommand, startCommandHere } from '../../../test/support/running-command.ts';
import { PROGRAM } from '../../lib/program.ts';

const harness = await useHarness();
const access = ['--url', harness.url, '--key', harness.account.test_key];
const line = await makeLine(harness);
const { number } = line;

/** Starts the command with `--json`, and waits until its agent is ready. */
async function startRelay(...words: string[]) {
  const command = startCommandHere(['relay', ...words, '--json', ...access]);
  await until('the agent is there', () => command.out.length > 0 || command.hasEnded(), 30_000);
  const lines = (): Json[] => command.out.map((line) => JSON.parse(line));
  const said = (type: string) =>
    lines()
      .filter((line) => line.type === type)
      .map(({ text }) => text);
  return { ...command, lines, said, agent: String(lines()[0]?.agent) };
}

const routingOf = async () => (await read(harness, `/phone_numbers/${number.id}`)).routing_config_id;
const routings = async () => (await read(harness, '/routing_configs')).data.map(({ id }: Json) => id);

test('a number is answered by an agent that repeats what callers say, until Ctrl+C', async () => {
  const before = await routingOf();
  const all = await routings();
  const { lines, said, stop, err } = await startRelay('--echo', '--number', number.phone_number);
  assert.equal(lines()[0]?.number, number.phone_number);
  const { id } = await callIn(harness, line, { script: 'wait 60' });
  await until('the greeting', () => said('agent').length === 1);
  await harness.call('POST', `/v1/test/calls/${id}/speech`, {
    body: { speaker: 'customer', text: 'Is Biscuit ready?' },
  });
  await until('the echo', () => said('agent').includes('You said: Is Biscuit ready?'));
  assert.deepEqual(said('caller'), ['Is Biscuit ready?']);
  await harness.call('POST', `/v1/test/calls/${id}/dtmf`, { body: { digits: '#' } });
  await until('the end', () => said('over').length === 1);
  assert.equal(lines()[1]?.call_id, id);
  assert.equal((await readCall(harness, id)).answered_by, 'relay');
  assert.equal(await stop(), 0, err.join('\n'));
  assert.deepEqual([await routingOf(), await routings()], [before, all]);
});

test('a run after one that was killed restores the routing from before both', async () => {
  const { id: routing } = await route(harness, line, { open_behavior: ringing(['+16025550117']) });
  const all = await routings();
  const killed = startCommand(['relay', '--echo', '--number', number.phone_number, ...access]);
  await until('it has routed', () => killed.out.some((line) => line.startsWith('Number')), 30_000);
  assert.notEqual(await routingOf(), routing);
  await killed.kill();
  const { stop } = await startRelay('--to', 'ws://127.0.0.1:9/', '--number', number.phone_number);
  assert.equal((await routings()).length, all.length + 1);
  await stop();
  assert.deepEqual([await routingOf(), await routings()], [routing, all]);
});

test("an agent of one's own answers a number until the command is interrupted", async () => {
  const { id: routing } = await route(harness, line, { open_behavior: ringing(['+16025550117']) });
  const words = ['relay', '--to', 'ws://127.0.0.1:9/', '--number', number.phone_number, ...access];
  const command = startCommand(words);
  await until('it has routed', () => command.err.some((line) => line.startsWith('Ctrl+C')), 30_000);
  // Another command starts and ends in the meantime, so a command without a wait would have ended too.
  const other = startCommand(['--version']);
  await until('another command has come and gone', other.hasEnded, 30_000);
  assert.equal(command.hasEnded(), false, command.err.join('\n'));
  assert.equal(await command.stop(), 0);
  assert.equal(await routingOf(), routing);
});

test('a routing that was changed meanwhile stays', async () => {
  const { stop } = await startRelay('--echo', '--number', number.phone_number);
  const { id: routing } = await route(harness, line, { open_behavior: ringing(['+16025550117']) });
  assert.equal(await stop(), 0);
  assert.equal(await routingOf(), routing);
});

test('without a number the agent waits, and the command that routes one is printed', async () => {
  const command = startCommandHere(['relay', '--echo', ...access]);
  await until('the agent is there', () => command.out.length === 3);
  const [, url] = /^Agent {3}(ws:\S+)$/.exec(command.out[0] ?? '') ?? [];
  assert.equal(command.out[2], `  ${PROGRAM} relay --to ${url} --number +1…`);
  assert.equal(await command.stop(), 0);
});

test('a wrong command line, number or key says what to do', async () => {
  for (const [words, code, said] of [
    [[], 2, /give --echo, or --to/],
    [['--echo', '--to', 'ws://localhost:9001/'], 2, /give --echo, or --to/],
    [['--to', 'localhost'], 2, /--to is "localhost"; give an address such as ws:/],
    [['--echo', '--port', '70000'], 2, /--port takes a port/],
    [['--to', 'ws://localhost:9001/', '--port', '9001'], 2, /--port is the port of the agent of --echo/],
    [['--echo', '--number', '+16025550199'], 1, /\+16025550199 is no number of this account in test mode/],
    [['--to', 'ws://phone.example/', '--number', number.phone_number], 1, /answered 400/],
  ] as const) {
    const outcome = await runHere(['relay', ...words, ...access], {});
    assert.equal(outcome.code, code, words.join(' '));
    assert.match(outcome.err, said);
  }
  const live = ['--url', harness.url, '--key', harness.account.live_key];
  assert.equal((await runHere(['relay', '--echo', ...live], {})).code, 1);
});
