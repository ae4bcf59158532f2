import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainSummary } from './plain-summary.ts';

test('a plain summary has how often each party spoke, and its first words', () => {
  const segments = [
    { speaker: 'customer', text: 'Hello.' },
    { speaker: 'agent', text: 'Good morning.' },
    { speaker: 'customer', text: 'Bye.' },
  ] as const;
  assert.equal(
    plainSummary(segments, { durationSeconds: 20 }),
    'A call of 20 seconds. The customer spoke 2 times, first: "Hello." The agent spoke once, first: "Good morning."',
  );
});

test('a call without a spoken word has a plain summary too', () => {
  assert.equal(plainSummary([], { durationSeconds: 20 }), 'Nobody spoke on this call.');
  assert.match(
    plainSummary([{ speaker: 'agent', text: 'Hi.' }], { durationSeconds: 1 }),
    /The customer said nothing\./,
  );
});

test('a long utterance is cut between characters', () => {
  const text = '\u{1F4DE}'.repeat(200);
  const summary = plainSummary([{ speaker: 'agent', text }], { durationSeconds: 1 });
  assert.ok(summary.isWellFormed() && summary.includes('…') && summary.length < 500);
});
