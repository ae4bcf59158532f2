import assert from 'node:assert/strict';
import { test } from 'node:test';
import { didYouMean, findSimilar } from './similar.ts';

const NAMES = ['message.received', 'message.sent', 'call.started', 'call.ended'];

for (const [typed, expected] of [
  ['mesage.received', ['message.received']],
  ['message.recieved', ['message.received']],
  ['messages.sent', ['message.sent']],
  ['call.stopped', ['call.started']],
  ['call.nded', ['call.ended']],
  ['weather', []],
  ['', []],
] as const) {
  test(`"${typed}" is similar to ${expected.join(', ') || 'nothing'}`, () => {
    assert.deepEqual(findSimilar(typed, NAMES), expected);
  });
}

test('a question names the most similar ones, at most three', () => {
  assert.equal(didYouMean('call.endde', NAMES), ' Did you mean call.ended?');
  assert.equal(didYouMean('abcd', ['abc', 'abce', 'abdc', 'abcf', 'abcdef']), ' Did you mean abc or abce or abdc?');
  assert.equal(didYouMean('weather', NAMES), '');
});
