import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { callIn, logOf, readCall, ringing, route } from '../../../test/support/calls.ts';
import { runCommand } from '../../../test/support/cli-process.ts';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { cloneDatabase } from '../../../test/support/database.ts';
import type { Json } from '../../../test/support/events.ts';
import { startHarness, useHarness } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import { answerLate, LATE_S } from '../../../test/support/late-answers.ts';
import { newPerson, read } from '../../../test/support/messages.ts';
import { buyNumber, makeLine } from '../../../test/support/numbers.ts';
import { freePort } from '../../../test/support/ports.ts';
import { startCommandHere } from '../../../test/support/running-command.ts';
import { lineOf, type PhoneEvent } from './phone/phone-events.ts';

const port = await freePort();
const harness = await useHarness({ port });
const plain = (_format: unknown, text: string) => text;
const access = ['--url', harness.url, '--key', harness.account.test_key];

/** Starts the command with `--json` and types lines into it. */
async function openPhone(number: string, ...more: string[]) {
  const typed = new PassThrough();
  const command = startCommandHere(['phone', number, '--json', ...access, ...more], typed);
  const { err } = command;
  const type = (line: string) => typed.write(`${line}\n`);
  const shown = (): Json[] => command.out.map((line) => JSON.parse(line));
  // The phone answers after it has begun to read lines. So no line after this one is missed.
  type('/texts');
  type('/help');
  await until('the phone is ready', () => err.some((text) => text.includes('/mms')) || command.hasEnded(), 30_000);
  return {
    ...{ shown, err, type },
    /** Waits for an event of this type. `place` is its position among the events of the type. */
    saw: async (kind: string, place = 0): Promise<Json> => {
      const found = () => shown().filter((one) => one.type === kind)[place];
      await until(`the phone shows ${kind}`, () => found() !== undefined || command.hasEnded(), 20_000);
      return found() ?? assert.fail(err.join('\n'));
    },
    quit: async () => {
      typed.end();
      await until('the phone has quit', command.hasEnded, 20_000);
      return command.stop();
    },
  };
}

const send = async (from: string, to: string, body: string) =>
  (await harness.call('POST', '/v1/messages', { body: { from, to, body } })).body;
const place = async (from: string, to: string, connect_to: string): Promise<string> => {
  const placed = await harness.call('POST', '/v1/calls', { body: { from, to, connect_to } });
  assert.equal(placed.status, 201);
  return placed.body.id;
};

test('a text reaches the phone, and a line answers it', async () => {
  const { number } = await makeLine(harness);
  const person = newPerson();
  const phone = await openPhone(person);
  await send(number.id, person, 'See you at 10:30.');
  const { from, body } = await phone.saw('text');
  assert.deepEqual([from, body], [number.phone_number, 'See you at 10:30.']);
  phone.type('//C is for confirm');
  phone.type('/mms https://files.example/dog.jpg This is Biscuit');
  await phone.saw('sent', 1);
  await send(number.id, person, 'Thank you.');
  assert.equal((await phone.saw('text', 1)).body, 'Thank you.', 'each text is shown once');
  const { data } = await read(harness, `/messages?from=${encodeURIComponent(person)}`);
  assert.deepEqual(data.map((message: Json) => [message.to, message.body, message.media.length]).reverse(), [
    [number.phone_number, '/C is for confirm', 0],
    [number.phone_number, 'This is Biscuit', 1],
  ]);
  assert.equal(await phone.quit(), 0);
});

test('a call rings until the person accepts it, and lasts until it hangs up', async () => {
  const { number } = await makeLine(harness);
  const person = newPerson();
  await answerLate(harness.context.db, [person]);
  const phone = await openPhone(person);
  const id = await place(number.id, newPerson(), person);
  assert.deepEqual(await phone.saw('ring'), {
    ...{ type: 'ring', call_id: id, from: number.phone_number, caller_name: null },
  });
  await harness.advance(LATE_S + 1.5);
  assert.ok(!logOf(await readCall(harness, id)).includes('answered'));
  phone.type('/accept');
  await phone.saw('talk');
  await harness.advance(60);
  assert.equal((await readCall(harness, id)).status, 'in_progress');
  phone.type('/hangup');
  assert.equal((await phone.saw('end')).outcome, 'answered');
  assert.equal(await phone.quit(), 0);
});

test('a person that a call is transferred to, and a customer, are rung as well', async () => {
  const { number } = await makeLine(harness);
  const [customer, third] = [newPerson(), newPerson()];
  await answerLate(harness.context.db, [customer, third]);
  const [phone, other] = await Promise.all([openPhone(customer), openPhone(third)]);
  const id = await place(number.id, customer, newPerson());
  await phone.saw('ring');
  phone.type('/a');
  await phone.saw('talk');
  assert.equal((await harness.call('POST', `/v1/calls/${id}/transfer`, { body: { to: third } })).status, 202);
  await other.saw('ring');
  other.type('/accept');
  await other.saw('talk');
  assert.equal(await phone.quit(), 0);
  await other.saw('end');
  assert.equal((await readCall(harness, id)).outcome, 'answered', 'who leaves hangs up');
  assert.equal(await other.quit(), 0);
});

test('a call that rings has the name that its caller shows', async () => {
  const line = await makeLine(harness);
  const person = newPerson();
  const phone = await openPhone(person);
  await route(harness, line, { open_behavior: ringing([person]) });
  await callIn(harness, line, { from: '+16025550199', caller_name: 'DANA SMITH' });
  const ring = await phone.saw('ring');
  assert.deepEqual([ring.caller_name, ring.from], ['DANA SMITH', '+16025550199']);
  assert.match(lineOf(ring as PhoneEvent, plain), /^DANA SMITH \+16025550199 calls\. /);
  assert.match(
    lineOf({ ...(ring as PhoneEvent & { type: 'ring' }), caller_name: null }, plain),
    /^\+16025550199 calls\./,
  );
  assert.equal(await phone.quit(), 0);
});

test('a person declines a call, or lets it ring', async () => {
  const line = await makeLine(harness);
  const [person, next] = [newPerson(), newPerson()];
  await answerLate(harness.context.db, [person]);
  const behavior = ringing([person, next], { strategy: 'sequential', timeout_seconds: 30 });
  await route(harness, line, { open_behavior: behavior, closed_behavior: behavior });
  const phone = await openPhone(person);
  const { id } = await callIn(harness, line);
  await phone.saw('ring');
  phone.type('/decline');
  await until('the next one answers', async () => (await readCall(harness, id)).answered_by === next);
  const { id: second } = await callIn(harness, line);
  await phone.saw('ring', 1);
  phone.type('/ignore');
  phone.type('/accept');
  await until('it is refused', () => phone.err.some((text) => text.includes('No call rings')));
  assert.notEqual((await readCall(harness, second)).answered_by, person);
});

test('a person calls, presses digits, and hears what is said', async () => {
  const line = await makeLine(harness);
  const behavior = ringing([newPerson()]);
  await route(harness, line, { open_behavior: behavior, closed_behavior: behavior });
  const person = newPerson();
  const phone = await openPhone(person, '--to', line.number.phone_number);
  phone.type('/call');
  const { call_id: id } = await phone.saw('calling');
  await phone.saw('talk');
  assert.equal((await harness.call('POST', `/v1/calls/${id}/transcription`)).status, 200);
  const said = { speaker: 'agent', text: 'Which appointment?' };
  await harness.call('POST', `/v1/test/calls/${id}/speech`, { body: said });
  assert.equal((await phone.saw('heard')).text, 'Which appointment?');
  const gather = { prompt: 'The number please.', max_digits: 6, terminator: '#', timeout_ms: 30_000 };
  assert.equal((await harness.call('POST', `/v1/calls/${id}/gather`, { body: gather })).status, 200);
  await phone.saw('keys');
  phone.type('/keys 4711#');
  const digits = async () =>
    (await readCall(harness, id)).events.find(({ type }: Json) => type === 'gather_finished')?.detail.digits;
  await until('the digits are there', async () => (await digits()) === '4711');
  phone.type('/say The one on Tuesday.');
  await until('it is in the transcript', async () =>
    (await read(harness, `/calls/${id}/transcript`)).text.includes('The one on Tuesday.'),
  );
  phone.type('/hangup');
  await phone.saw('end');
});

test('a script of lines over a pipe leaves a voicemail', async () => {
  const { number } = await makeLine(harness);
  const input = `/call ${number.phone_number}\n/wait voicemail\n/say Call me back.\n/wait 2\n/hangup\n/wait end\n`;
  const { code, out, err } = await runCommand(['phone', newPerson(), ...access], {}, { input });
  assert.equal(code, 0, err);
  assert.match(out, /^Calling \+1\d+\n.*The voicemail listens.*The call is over: voicemail\n$/s);
  await until('it is transcribed', async () => {
    const { data } = await read(harness, `/voicemails?tenant_id=${number.tenant_id}`);
    return data[0]?.transcript === 'Call me back.';
  });
});

/** Runs the command on lines, and waits until it has read all of them. */
async function runScript(words: readonly string[], lines: string): Promise<{ code: number; err: string }> {
  const command = startCommandHere(['phone', ...words], Readable.from([lines]));
  await until('the script has ended', command.hasEnded, 30_000);
  return { code: await command.stop(), err: command.err.join('\n') };
}

test('a script ends at the line that cannot be done, and hangs up', async () => {
  const { number } = await makeLine(harness);
  const input = `/call ${number.phone_number}\n/wait calling\nnever sent\n`;
  const person = newPerson();
  const { code, err } = await runScript([person, ...access], input);
  assert.equal(code, 1);
  assert.match(err, /\/wait needs one of text, ring/);
  const { data } = await read(harness, `/calls?external_number=${encodeURIComponent(person)}`);
  assert.deepEqual([data.length, data[0].status], [1, 'completed']);
  assert.deepEqual((await read(harness, `/messages?from=${encodeURIComponent(person)}`)).data, []);
});

test('with --tenant the texts of other tenants are not shown', async () => {
  const [own, other] = [await makeLine(harness), await makeLine(harness)];
  const person = newPerson();
  const phone = await openPhone(person, '--tenant', own.tenantId);
  await send(other.number.id, person, 'from another');
  await send(own.number.id, person, 'from this one');
  const later = await buyNumber(harness, own.tenantId);
  await send(later.id, person, 'from a number that is new');
  await phone.saw('text', 1);
  assert.deepEqual(
    phone
      .shown()
      .map(({ body }) => body)
      .sort(),
    ['from a number that is new', 'from this one'],
  );
});

test('the phone shows what happened while the server was away', async () => {
  const { url: databaseUrl, drop } = await cloneDatabase();
  const away = { port: await freePort(), databaseUrl };
  const first = await startHarness(away);
  const { number } = await makeLine(first);
  const person = newPerson();
  const phone = await openPhone(person, '--url', first.url, '--key', first.account.test_key);
  await first.close();
  await until('it says so', () => phone.err.length > 2);
  const second = await startHarness(away);
  closeAfterTests(async () => {
    await second.close();
    await drop();
  });
  const body = { from: number.id, to: person, body: 'Good morning.' };
  await second.call('POST', '/v1/messages', { key: first.account.test_key, body });
  assert.equal((await phone.saw('text')).body, 'Good morning.');
  await answerLate(second.context.db, [person]);
  const placed = { from: number.id, to: newPerson(), connect_to: person };
  await second.call('POST', '/v1/calls', { key: first.account.test_key, body: placed });
  await phone.saw('ring');
  assert.equal(await phone.quit(), 0);
});

test('a live key and a number that is none are refused', async () => {
  const live = ['--url', harness.url, '--key', harness.account.live_key];
  for (const [words, code, said] of [
    [[newPerson(), ...live], 1, /answered 403/],
    [['Dana', ...access], 1, /answered 400/],
    [access, 2, /missing required argument/],
  ] as const) {
    const outcome = await runScript(words, '/wait 0\n');
    assert.equal(outcome.code, code, outcome.err);
    assert.match(outcome.err, said);
  }
});
