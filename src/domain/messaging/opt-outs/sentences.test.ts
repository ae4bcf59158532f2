import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { classifyText, isDoubtful } from './keywords.ts';

/** Returns the texts of a file, one a line; `\n` in it is a new line of the text. */
function textsOf(name: string): string[] {
  const file = readFileSync(new URL(`../../../../test/texts/${name}`, import.meta.url), 'utf8');
  const lines = file.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => line.replaceAll('\\n', '\n').replaceAll('\\r', '\r'));
}

const REQUESTS = textsOf('stop-requests.txt');
const REPLIES = textsOf('ordinary-replies.txt');

test('a request for no more texts opts out, in any case and in both forms of Unicode', () => {
  for (const body of REQUESTS) {
    for (const variant of [body, body.toUpperCase(), body.normalize('NFD'), body.replaceAll("'", '’'), `  ${body} 🛑`])
      assert.equal(classifyText(variant)?.kind, 'stop', JSON.stringify(variant));
  }
});

test('hundreds of ordinary replies to a clinic, a garage and a property manager stay ordinary', () => {
  assert.ok(REPLIES.length >= 300);
  for (const body of REPLIES) {
    for (const variant of [body, body.toUpperCase(), body.normalize('NFD'), body.replaceAll("'", '’')])
      assert.equal(classifyText(variant), null, JSON.stringify(variant));
  }
});

test('an ordinary reply with a signature stays ordinary', () => {
  for (const body of REPLIES) assert.equal(classifyText(`${body}\n\nSent from my iPhone`), null, body);
  assert.equal(classifyText('Sent from my iPhone'), null);
});

test('a keyword between other sentences is ordinary, and so is a keyword that is a question', () => {
  for (const body of [
    'Bus 12. Stop. Main St',
    'Left at the light. End. Then right',
    'Stop? No, go on',
    'Cancel? I am here',
  ])
    assert.equal(classifyText(body), null, body);
});

test('a question is no request, unless it asks in courtesy; a keyword of the networks counts as a question too', () => {
  for (const body of [
    'I deleted the app, stop notifications?',
    'stop texting me?',
    'lose my number? never',
    'Unsubscribe me?',
    'dejar de enviarme mensajes?',
    'TD?',
    '¿Baja?',
    'Cancelar?',
  ])
    assert.deepEqual([classifyText(body), isDoubtful(body)], [null, true], body);
  for (const body of [
    'Can you take me off your list?',
    'Stop texting me please?',
    'stop texting me, ok?',
    'We sold the house, could you take me off your list?',
    'Puede dejar de enviarme mensajes?',
    'STOP?',
  ])
    assert.equal(classifyText(body)?.kind, 'stop', body);
});

test('a request with what the person is doing just now is ordinary, and a person decides; other reasons do not matter', () => {
  for (const body of [
    "stop texting, I'm driving",
    "Stop texting me, I'm at work",
    "I'm in a meeting right now, stop texting me",
    "Stop texting me, sorry I can't talk now",
    'Deje de enviarme mensajes, estoy manejando',
  ])
    assert.deepEqual([classifyText(body), isDoubtful(body)], [null, true], body);
  for (const body of [
    "Stop texting me. I'm driving.",
    "Stop texting me, I'm a new owner",
    'I work nights, stop texting me',
  ])
    assert.equal(classifyText(body)?.kind, 'stop', body);
});

test('a keyword or a request beside "I am not" and a name is a wrong number; beside other words a person decides', () => {
  for (const body of [
    "STOP I'm not Dana",
    'Stop this is not Dana Smith.',
    'Please stop, I am not Dana',
    "I'm not Dana please stop texting me",
    'Alto no soy Dana',
  ])
    assert.equal(classifyText(body)?.kind, 'stop', body);
  for (const body of ["STOP I'm not home", "stop I'm not ready", "STOP I'M NOT DANA", 'STOP this is not Monday'])
    assert.deepEqual([classifyText(body), isDoubtful(body)], [null, true], body);
  for (const body of ["I'm not Dana", 'I am not Dana but I can tell her', "I'm not Dana. Can you come at 3"])
    assert.deepEqual([classifyText(body), isDoubtful(body)], [null, false], body);
});

test('a keyword with other words in its sentence is ordinary', () => {
  for (const body of [
    'Yes. Stop by at 3',
    'The pain will not stop. Help',
    'STOP 12345',
    'stop2',
    'cancel now',
    'end it now',
  ])
    assert.equal(classifyText(body), null, body);
});

test('a line that goes on in the next one is one sentence', () => {
  for (const body of [
    "The pain won't\nstop",
    "Please don't\nstop texting me",
    'When can I\nstop',
    'We met at the bus\nstop',
  ])
    assert.equal(classifyText(body), null, JSON.stringify(body));
});

test('START and HELP with a signature count; as one of several sentences they are ordinary', () => {
  assert.deepEqual(classifyText('Start\n\nSent from my iPhone'), { kind: 'start' });
  assert.deepEqual(classifyText('HELP\n--\nMaria'), { kind: 'help' });
  assert.equal(classifyText('The tooth broke. Help'), null);
  assert.equal(classifyText('Start. See you then'), null);
});

test('a whole text that is a keyword is stop_keyword, below it a signature or not', () => {
  const keyword = { kind: 'stop', source: 'stop_keyword' };
  for (const body of ['STOP', 'Stop\n\nSent from my iPhone', 'Unsubcribe', 'No más', 'Wrong number. STOP'])
    assert.deepEqual(classifyText(body), keyword, body);
  for (const body of ['Please stop', 'STOP NOW', 'stop2end', 'No more reminders'])
    assert.deepEqual(classifyText(body), { kind: 'stop', source: 'stop_phrase' }, body);
});

test('a misspelled word counts, a word of another meaning does not', () => {
  assert.equal(classifyText('no more mesages')?.kind, 'stop');
  for (const body of ['no more massages', 'stop the remainders', 'Unsubscribed?', 'subscribe'])
    assert.equal(classifyText(body), null, body);
});
