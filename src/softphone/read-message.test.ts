import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMessage } from './read-message.ts';

test('what is wrong with a message is said, with the field at fault', () => {
  for (const [text, reason] of [
    ['', 'not a JSON object'],
    ['[]', 'not a JSON object'],
    ['null', 'not a JSON object'],
    ['{}', 'type is missing'],
    ['{"type":5}', 'type is not a text'],
    ['{"type":"sing"}', 'unknown type "sing"'],
    [`{"type":"${'x'.repeat(200)}"}`, 'unknown type'],
    ['{"type":"\\ud83d"}', 'unknown type'],
    ['{"type":"register"}', 'register: token is missing'],
    ['{"type":"answer"}', 'answer: call_id is missing'],
    ['{"type":"hang_up","call_id":""}', 'hang_up: call_id is empty'],
    ['{"type":"media","call_id":7}', 'media: call_id is not a text'],
    ['{"type":"place","from":"num_1"}', 'place: to is missing'],
    ['{"type":"place","to":"+16025550143","ref":5}', 'place: ref is not a text'],
    ['{"type":"place","to":"+1\\u0000"}', 'place: to holds NUL'],
    [`{"type":"place","to":"${'1'.repeat(4_001)}"}`, 'place: to is longer than 4000 characters'],
    ['{"type":"mute","call_id":"x"}', 'mute: on is missing'],
    ['{"type":"hold","call_id":"x","on":"yes"}', 'hold: on is not true or false'],
    ['{"type":"dtmf","call_id":"x"}', 'dtmf: digits is missing'],
    ['{"type":"dtmf","call_id":"x","digits":"12w"}', 'dtmf: digits is not 1 to 32 of 0-9 A-D * #'],
  ] as const) {
    const read = readMessage(text);
    assert.ok('malformed' in read && read.malformed === reason, `${text.slice(0, 60)}: ${JSON.stringify(read)}`);
    assert.ok(Buffer.byteLength(read.malformed) <= 123, 'a close frame takes no more (RFC 6455, 5.5)');
  }
});

test('a message is read as it is told, without fields that it does not have', () => {
  for (const message of [
    { type: 'register', token: 't' },
    { type: 'answer', call_id: 'c' },
    { type: 'place', to: '911' },
    { type: 'place', to: '+16025550143', from: 'num_1', ref: 'r' },
    { type: 'hold', call_id: 'c', on: false },
    { type: 'dtmf', call_id: 'c', digits: '1A*#' },
  ]) {
    assert.deepEqual(readMessage(JSON.stringify({ ...message, more: 1 })), message);
  }
});
