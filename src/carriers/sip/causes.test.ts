import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causeOf, tellsToTryNext } from './causes.ts';
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
    assert.equal(causeOf(event, legThat({})), cause);
  });
}

test('a leg that we hung up is canceled, and a caller who was not answered has hung up', () => {
  assert.equal(causeOf(end('Ringing', 26), legThat({ isHungUp: true })), 'canceled');
  assert.equal(causeOf(end('Ring', 16), legThat({ dialled: null })), 'hangup');
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
