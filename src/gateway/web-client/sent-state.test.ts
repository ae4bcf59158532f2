import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RUNG } from '../../../test/support/web-client-legs.ts';
import type { WebClientLeg } from '../../domain/voice/index.ts';
import { compare, nothingSent, type SentState, type Update } from './sent-state.ts';

const DIALLED: WebClientLeg = { ...RUNG, wasRung: false, state: 'up' };

function nameOf(update: Update): string {
  if (update.type === 'ended') return `ended ${update.reason}`;
  return update.type === 'transfer' && update.failure !== undefined ? `transfer ${update.failure}` : update.type;
}

/** Returns the updates of each refresh, one after the other. */
function play(...refreshes: readonly WebClientLeg[]): string[][] {
  let sent: SentState | undefined;
  return refreshes.map((leg) => {
    const result = compare(sent, leg);
    sent = result.sent;
    return result.updates.map(nameOf);
  });
}

test('a web client that is rung is sent the ringing, its audio, the answer and the end, each once', () => {
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

test('a web client that dials is sent the ringing and the answer of the other party', () => {
  const other = (state: WebClientLeg['other']): WebClientLeg => ({ ...DIALLED, other: state });
  assert.deepEqual(play(other(null), other('dialing'), other('ringing'), other('ringing'), other('up')), [
    ['dialing', 'media'],
    [],
    ['ringing'],
    [],
    ['answered'],
  ]);
});

test('missed steps are sent in order', () => {
  assert.deepEqual(play({ ...RUNG, state: 'up', other: 'up' }), [['incoming', 'media', 'answered']]);
});

test('a web client is sent each step of its transfer once, and the end of it', () => {
  const up: WebClientLeg = { ...DIALLED, other: 'up' };
  const transfer = { to: '+16025550199', mode: 'consult' } as const;
  const ringing: WebClientLeg = { ...up, transfer: { ...transfer, state: 'ringing' } };
  const talking: WebClientLeg = { ...up, transfer: { ...transfer, state: 'talking' } };
  assert.deepEqual(play(up, ringing, ringing, talking, talking, up, up).slice(1), [
    ...[['transfer'], [], ['transfer'], [], ['transfer'], []],
  ]);
});

test('a web client is sent why its transfer failed, once, also if it failed before it was seen to ring', () => {
  const up: WebClientLeg = { ...DIALLED, other: 'up' };
  const ringing: WebClientLeg = { ...up, transfer: { to: '+16025550199', mode: 'announce', state: 'ringing' } };
  const failed = (atMs: number): WebClientLeg => ({ ...up, failedTransfer: { reason: 'busy', atMs } });
  assert.deepEqual(play(up, failed(1), failed(1), failed(2), ringing, failed(3), failed(3)).slice(1), [
    ...[['transfer busy'], [], ['transfer busy'], ['transfer'], ['transfer busy'], []],
  ]);
  assert.deepEqual(play(failed(1), failed(1)).slice(1), [[]], 'a new login is not sent it');
});

test('a party that is up never rings again, however late a refresh comes', () => {
  assert.deepEqual(play({ ...DIALLED, other: 'up' }, { ...DIALLED, other: 'ringing' })[1], []);
});

test('a leg that the web client waits for is shown even if it is over at the first refresh', () => {
  const over: WebClientLeg = { ...DIALLED, state: 'ended', endReason: 'hangup' };
  const { updates, sent } = compare(nothingSent(over), over);
  assert.deepEqual([updates.map(({ type }) => type), sent], [['dialing', 'ended'], undefined]);
});

test('nothing is sent about the end of a leg that was never shown', () => {
  assert.deepEqual(play({ ...RUNG, state: 'ended', endReason: 'unreachable' }), [[]]);
});

test('the web client is sent why its call is over', () => {
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
