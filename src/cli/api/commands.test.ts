import assert from 'node:assert/strict';
import { test } from 'node:test';
import openapi from '../../../openapi.json' with { type: 'json' };
import { COMMAND_GROUPS, OWN_GROUPS } from '../catalog.ts';
import type { Arguments } from '../command.ts';
import { makeParser } from '../command-line.ts';
import { commandsOf } from './commands.ts';
import { OPERATION_GROUPS, type Operation } from './operations.ts';
import { readBody, readQuery } from './read-request.ts';

type Documented = { requestBody?: { content: Record<string, { example?: unknown }> } };

const OPERATIONS = OPERATION_GROUPS.flatMap((group) => group.operations.map((operation) => ({ group, operation })));

/** Parses a command line as the program does. Returns the arguments that its command receives. */
async function parse(words: readonly string[]): Promise<Arguments> {
  const group = OPERATION_GROUPS.find(({ name }) => name === words[0]) ?? assert.fail();
  let given: Arguments | undefined;
  const parser = makeParser({
    groups: COMMAND_GROUPS,
    commands: commandsOf(group),
    output: { writeErr: (text) => assert.fail(text) },
    run: async (_command, args) => {
      given = args;
    },
  });
  await parser.parseAsync([...words], { from: 'user' });
  return given ?? assert.fail();
}

/** Returns the request body that a command line makes. */
async function bodyOf(operation: Operation, ...words: string[]): Promise<unknown> {
  const { group } = OPERATIONS.find((each) => each.operation === operation) ?? assert.fail();
  return readBody(operation, await parse([group.name, operation.name, ...words]));
}

const named = (command: string) =>
  OPERATIONS.find(({ group, operation }) => `${group.name} ${operation.name}` === command)?.operation ?? assert.fail();

test('a field that is a text or an object has options for the fields of the object', async () => {
  const data = { from: '+16025550143', to: '+16025550170', connect_to: '+16025550171' };
  const words = ['--data', JSON.stringify(data), '--machine-detection.message.text', 'Hello'];
  const body = { ...data, machine_detection: { message: { text: 'Hello' } } };
  assert.deepEqual(await bodyOf(named('calls create'), ...words), body);
});

test('each operation of the document is one command', () => {
  const documented = Object.entries(openapi.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const commands = OPERATIONS.map(({ operation: { method, path } }) => `${method} ${path}`);
  assert.deepEqual(commands.toSorted(), documented.toSorted());
});

test('no two commands have one name, and no resource is called as a command for operators', () => {
  const names = OPERATIONS.map(({ group, operation }) => `${group.name} ${operation.name}`);
  assert.equal(new Set(names).size, names.length);
  const words = COMMAND_GROUPS.map(({ word }) => word);
  assert.deepEqual(new Set(words).size, words.length);
  assert.equal(words.length, OWN_GROUPS.length + OPERATION_GROUPS.length);
});

for (const { group, operation } of OPERATIONS) {
  test(`the example of ${group.name} ${operation.name} gives the body of the document's example`, async () => {
    const item = (openapi.paths as Record<string, Record<string, Documented>>)[operation.path];
    const { requestBody } = item?.[operation.method.toLowerCase()] ?? assert.fail();
    const example = requestBody?.content['application/json']?.example;
    const more = operation.reply === 'file' ? ['--output', '-'] : [];
    const args = await parse([group.name, operation.name, ...operation.example, ...more]);
    assert.equal(args.positionals.length, operation.arguments.length);
    assert.deepEqual(await readBody(operation, args), example);
    readQuery(operation, args);
  });
}

test('an option inside an object, a repeated one, numbers, true and null become the JSON that they stand for', async () => {
  const tenant = await bodyOf(
    named('tenants update'),
    ...['tnt_1', '--quiet-hours.start', '21:00', '--quiet-hours.zone', 'tenant', '--external-ref', 'null'],
    ...['--metadata', 'plan=pro', '--metadata', 'note=a=b'],
  );
  assert.deepEqual(tenant, {
    quiet_hours: { start: '21:00', zone: 'tenant' },
    external_ref: null,
    metadata: { plan: 'pro', note: 'a=b' },
  });
  const message = ['--from', 'num_1', '--to', '+1', '--media-urls', 'https://a', '--media-urls', 'https://b'];
  assert.deepEqual(await bodyOf(named('messages send'), ...message, '--respect-quiet-hours', 'true'), {
    from: 'num_1',
    to: '+1',
    media_urls: ['https://a', 'https://b'],
    respect_quiet_hours: true,
  });
  const waiting = await bodyOf(named('test advance-clock'), '--advance-seconds', '90');
  assert.deepEqual(waiting, { advance_seconds: 90 });
});

test('options replace fields of --data, and leave its others', async () => {
  const data = JSON.stringify({
    name: 'Old',
    timezone: 'America/Denver',
    quiet_hours: { start: '20:00', zone: 'tenant' },
  });
  const words = ['--data', data, '--name', 'New', '--quiet-hours.start', '22:00'];
  assert.deepEqual(await bodyOf(named('tenants create'), ...words), {
    name: 'New',
    timezone: 'America/Denver',
    quiet_hours: { start: '22:00', zone: 'tenant' },
  });
});

test('an option inside an object replaces a field of the option that gives the whole object', async () => {
  const whole = JSON.stringify({ start: '20:00', end: '08:00', zone: 'tenant' });
  const words = ['tnt_1', '--quiet-hours.start', '22:00', '--quiet-hours', whole];
  assert.deepEqual(await bodyOf(named('tenants update'), ...words), {
    quiet_hours: { start: '22:00', end: '08:00', zone: 'tenant' },
  });
});

test('a value of the wrong form is refused before anything is sent', async () => {
  for (const [command, words, pattern] of [
    ['messages send', ['--from', 'num_1'], /--to is missing/],
    ['messages send', ['--data', '[]'], /--data takes a JSON object/],
    ['messages send', ['--data', '{'], /--data is not JSON/],
    ['messages send', ['--metadata', 'plan'], /--metadata is "plan"; give NAME=TEXT/],
    ['messages send', ['--respect-quiet-hours', 'yes'], /give true or false/],
    ['test advance-clock', ['--advance-seconds', 'soon'], /--advance-seconds is "soon"; give a number/],
    [
      'tenants create',
      ['--data', '{"quiet_hours":1}', '--quiet-hours.start', '1'],
      /quiet_hours in --data is not an object/,
    ],
  ] as const) {
    await assert.rejects(bodyOf(named(command), ...words), pattern);
  }
  const args = await parse(['messages', 'list', '--direction', 'both']);
  assert.throws(() => readQuery(named('messages list'), args), /--direction is "both"; give one of inbound, outbound/);
});
