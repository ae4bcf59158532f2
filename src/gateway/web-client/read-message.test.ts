import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMessage } from './read-message.ts';

test('a text that is not a JSON object is malformed', () => {
  for (const text of ['', '[]', 'null', '5', '"place"', '{"type":']) {
    assert.deepEqual(readMessage(text), { malformed: 'not a JSON object' });
  }
});

test('an invalid message is reported with the field at fault', () => {
  for (const [text, code, message] of [
    ['{}', 'missing_fields', '"type" is missing.'],
    ['{"type":5}', 'invalid_body', '"type" is not a text.'],
    ['{"type":"sing"}', 'invalid_body', 'Unknown type "sing".'],
    [`{"type":"${'x'.repeat(200)}"}`, 'invalid_body', 'Unknown type.'],
    ['{"type":"\\ud83d"}', 'invalid_body', 'Unknown type.'],
    ['{"type":"register"}', 'missing_fields', '"token" is missing.'],
    ['{"type":"answer"}', 'missing_fields', '"call_id" is missing.'],
    ['{"type":"hang_up","call_id":""}', 'invalid_body', '"call_id" is empty.'],
    ['{"type":"media","call_id":7}', 'invalid_body', '"call_id" is not a text.'],
    ['{"type":"place","from":"num_1"}', 'missing_fields', '"to" is missing.'],
    ['{"type":"place","to":6025550143}', 'invalid_body', '"to" is not a text.'],
    ['{"type":"place","to":"+16025550143","ref":5}', 'invalid_body', '"ref" is not a text.'],
    ['{"type":"place","to":"+1\\u0000"}', 'invalid_body', '"to" holds NUL.'],
    [`{"type":"place","to":"${'1'.repeat(4_001)}"}`, 'invalid_body', '"to" is longer than 4000 characters.'],
    ['{"type":"mute","call_id":"x"}', 'missing_fields', '"on" is missing.'],
    ['{"type":"hold","call_id":"x","on":"yes"}', 'invalid_body', '"on" is not true or false.'],
    ['{"type":"dtmf","call_id":"x"}', 'missing_fields', '"digits" is missing.'],
    ['{"type":"dtmf","call_id":"x","digits":"12w"}', 'invalid_body', '"digits" is not 1 to 32 of 0-9 A-D * #.'],
  ] as const) {
    const read = readMessage(text);
    assert.ok('invalid' in read, text.slice(0, 60));
    assert.deepEqual(read.invalid, { code, message });
  }
});

test('an error repeats the valid identifying fields of its request', () => {
  for (const [text, echo] of [
    ['{"type":"dtmf","call_id":"call_1","digits":"x"}', { request: 'dtmf', call_id: 'call_1' }],
    ['{"type":"place","to":5,"ref":"mine"}', { request: 'place', ref: 'mine' }],
    ['{"type":"place","to":"+16025550143","ref":5}', { request: 'place' }],
    ['{"type":"transfer","call_id":"call_1","ref":"mine"}', { request: 'transfer', call_id: 'call_1', ref: 'mine' }],
    [`{"type":"${'x'.repeat(200)}"}`, { request: null }],
    ['{"type":7,"call_id":7}', { request: null }],
  ] as const) {
    const read = readMessage(text);
    assert.ok('echo' in read, text.slice(0, 60));
    assert.deepEqual(read.echo, echo);
  }
});

test('an emergency call does not fail on its form', () => {
  for (const [text, message] of [
    ['{"type":"place","to":911}', { type: 'place', to: '911' }],
    ['{"type":"place","to":" 933 ","ref":"r"}', { type: 'place', to: '933', ref: 'r' }],
    ['{"type":"place","to":"+1911","from":7,"ref":""}', { type: 'place', to: '911' }],
    ['{"type":"place","to":"9-1-1","from":"num_1","ref":{}}', { type: 'place', to: '911', from: 'num_1' }],
  ] as const) {
    assert.deepEqual(readMessage(text), message);
  }
});

test('a valid message is read with all its fields, without unknown ones', () => {
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
