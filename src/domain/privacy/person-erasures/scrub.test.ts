import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scrub, withoutNumber, writingsOf } from './scrub.ts';

const PERSON = '+16025550143';

test('a number is found however people write it, and in no other number', () => {
  const pattern = new RegExp(writingsOf(PERSON));
  for (const text of [PERSON, '6025550143', '(602) 555-0143', '602.555.0143', '1 602 555 0143', '602 - 555 - 0143'])
    assert.match(`a ${text} b`, pattern);
  for (const text of ['+16025550144', '602555014', '602 555 01 and 43', '2555014360'])
    assert.doesNotMatch(text, pattern);
  assert.match('+44 20 7946 0018', new RegExp(writingsOf('+442079460018')));
});

test('content goes and keeps its type; ids, times, kinds and states stay', () => {
  const data = {
    id: 'msg_1',
    object: 'message',
    from: PERSON,
    status: 'delivered',
    body: 'Hello',
    media: [{ url: 'https://x' }],
    metadata: { name: 'Ann' },
    legs: [{ address: PERSON, state: 'ended' }],
    listening: { text: 'This is heard', speechRef: null },
    caller_name: 'Ann',
    customerName: 'Ann',
    contactName: 'Ann Reyes',
    note: 'call (602) 555-0143 back',
    duration_seconds: 4,
  };
  assert.deepEqual(scrub(data, PERSON), {
    ...data,
    from: 'anonymous',
    body: '',
    media: [],
    metadata: {},
    legs: [{ address: 'anonymous', state: 'ended' }],
    listening: { text: '', speechRef: null },
    caller_name: null,
    customerName: null,
    contactName: null,
    note: 'anonymous',
  });
  assert.deepEqual(withoutNumber({ body: 'Hello', to: [PERSON] }, PERSON), { body: 'Hello', to: ['anonymous'] });
});
