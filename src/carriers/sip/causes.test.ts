import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causeOf, refusalByTrunk, tellsToTryNext } from './causes.ts';
import type { SipLeg } from './leg-queries.ts';

const dialled = { to: '+13035550111', from: '+13035550199', shownAs: '+13035550199', ringMs: 30_000 };
const legThat = (leg: Partial<SipLeg>): SipLeg => ({ isHungUp: false, dialled, ...leg }) as SipLeg;
const end = (state: string, cause: number, tech_cause?: number) => ({
  channel: { state },
  cause,
  ...(tech_cause !== undefined && { tech_cause }),
});

const ENDS = [
  ['busy', end('Down', 17, 486)],
  ['busy', end('Ringing', 17, 600)],
  ['no_answer', end('Ringing', 19, 480)],
  ['no_answer', end('Down', 18, 408)],
  ['rejected', end('Ringing', 21, 603)],
  ['rejected', end('Ringing', 16)],
  ['unreachable', end('Down', 1, 404)],
  ['failed', end('Down', 34, 503)],
  ['hangup', end('Up', 16)],
] as const;

for (const [cause, event] of ENDS) {
  test(`a leg that ends in state ${event.channel.state} with ${JSON.stringify(event)} has ended as ${cause}`, () => {
    assert.equal(causeOf(event, legThat({}), true).cause, cause);
  });
}

test('a leg that we hung up is canceled, and a caller who was not answered has hung up', () => {
  assert.deepEqual(causeOf(end('Ringing', 26, 487), legThat({ isHungUp: true }), true), { cause: 'canceled' });
  assert.deepEqual(causeOf(end('Ring', 16), legThat({ dialled: null }), true), { cause: 'hangup' });
});

test('a trunk that refuses the calls of the operator is named as the cause, with the status', () => {
  for (const status of [401, 402, 403, 407, 415, 488, 302]) {
    const event = end('Down', 21, status);
    const refusal = { sip_status: status, reason: 'carrier_refused' };
    assert.deepEqual(causeOf(event, legThat({}), true), { cause: 'failed', refusal });
    assert.equal(refusalByTrunk(event), status);
    assert.ok(tellsToTryNext(event), `${status}`);
  }
  assert.equal(refusalByTrunk(end('Up', 16, 403)), undefined);
});

test('a telephone of the engine that refuses a call is no trunk that refuses calls', () => {
  const refusal = { sip_status: 403 };
  assert.deepEqual(causeOf(end('Down', 21, 403), legThat({}), false), { cause: 'rejected', refusal });
});

test('a call that is unwanted, or blocked by the network, is told from one that is declined', () => {
  const verdict = (status: number) => causeOf(end('Down', 21, status), legThat({}), true);
  assert.deepEqual(verdict(603), { cause: 'rejected', refusal: { sip_status: 603 } });
  assert.deepEqual(verdict(607), { cause: 'rejected', refusal: { sip_status: 607, reason: 'unwanted' } });
  assert.deepEqual(verdict(608), { cause: 'rejected', refusal: { sip_status: 608, reason: 'rejected_by_network' } });
  for (const status of [603, 607, 608]) assert.equal(refusalByTrunk(end('Down', 21, status)), undefined);
});

test('a call that the analytics of a network have blocked (603+) is told from one that a party declines', () => {
  const verdict = (STATUS_LINE: string) => {
    const event = end('Down', 21, 603);
    return causeOf({ ...event, channel: { ...event.channel, channelvars: { STATUS_LINE } } }, legThat({}), true);
  };
  const refusal = { sip_status: 603 };
  const blocked = { cause: 'rejected', refusal: { ...refusal, reason: 'rejected_by_network' } };
  assert.deepEqual(verdict('SIP 603 Network Blocked'), blocked);
  for (const other of ['SIP 603 Decline', 'SIP 603 ', '']) {
    assert.deepEqual(verdict(other), { cause: 'rejected', refusal }, other);
  }
});

test('the next trunk follows a 5xx, a time-out and an unreachable trunk, and nothing that the other party did', () => {
  for (const event of [end('Down', 34, 503), end('Down', 38, 500), end('Down', 18, 408), end('Down', 20)]) {
    assert.ok(tellsToTryNext(event), JSON.stringify(event));
  }
  const byTheParty = [
    end('Down', 17, 486),
    end('Down', 17, 600),
    end('Down', 21, 603),
    end('Ringing', 34, 503),
    end('Down', 1, 404),
    end('Down', 16),
    end('Up', 16),
  ];
  for (const event of byTheParty) assert.ok(!tellsToTryNext(event), JSON.stringify(event));
});
