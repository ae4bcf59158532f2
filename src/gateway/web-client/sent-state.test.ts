import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebClientLeg } from '../../carriers/ports/web-client.ts';
import { compare, nothingTold, type Told } from './sent-state.ts';

const RUNG: WebClientLeg = {
  callId: 'call_1',
  legId: 'leg_1',
  wasRung: true,
  state: 'ringing',
  other: null,
  endReason: null,
};
const DIALLED: WebClientLeg = { ...RUNG, wasRung: false, state: 'up' };

/** What is said, look by look. */
function play(...looks: readonly WebClientLeg[]): string[][] {
  let told: Told | undefined;
  return looks.map((leg) => {
    const result = compare(told, leg);
    told = result.told;
    return result.news.map((item) => (item.say === 'ended' ? `ended ${item.reason}` : item.say));
  });
}

test('a web client that is rung hears of it, then of its audio, of the other party and of the end, each once', () => {
  const up: WebClientLeg = { ...RUNG, state: 'up', other: 'up' };
  const over: WebClientLeg = { ...up, state: 'ended', endReason: 'ended' };
  assert.deepEqual(play(RUNG, RUNG, up, up, over, over), [
    ['incoming'],
    [],
    ['media', 'answered'],
    [],
    ['ended ended'],
    [],
  ]);
});

test('a web client that dials hears the other party ring and answer', () => {
  const other = (state: WebClientLeg['other']): WebClientLeg => ({ ...DIALLED, other: state });
  assert.deepEqual(play(other(null), other('dialing'), other('ringing'), other('ringing'), other('up')), [
    ['dialing', 'media'],
    [],
    ['ringing'],
    [],
    ['answered'],
  ]);
});

test('steps that were missed are caught up with in order', () => {
  assert.deepEqual(play({ ...RUNG, state: 'up', other: 'up' }), [['incoming', 'media', 'answered']]);
});

test('a party that is up never rings again, however late a look comes', () => {
  assert.deepEqual(play({ ...DIALLED, other: 'up' }, { ...DIALLED, other: 'ringing' })[1], []);
});

test('a leg that the web client waits for is shown, also where it is over at the first look', () => {
  const over: WebClientLeg = { ...DIALLED, state: 'ended', endReason: 'hangup' };
  const { news, told } = compare(nothingTold(over), over);
  assert.deepEqual([news.map(({ say }) => say), told], [['dialing', 'ended'], undefined]);
});

test('a leg of which nothing was told ends without a word', () => {
  assert.deepEqual(play({ ...RUNG, state: 'ended', endReason: 'unreachable' }), [[]]);
});

test('the web client is told why its call is over', () => {
  for (const [why, expected] of [
    ['hangup', 'hung_up'],
    ['declined', 'declined'],
    ['answered_elsewhere', 'answered_elsewhere'],
    ['no_answer', 'no_answer'],
    ['canceled', 'ended'],
    ['unreachable', 'ended'],
    [null, 'ended'],
  ] as const) {
    assert.deepEqual(play(RUNG, { ...RUNG, state: 'ended', endReason: why })[1], [`ended ${expected}`]);
  }
});
