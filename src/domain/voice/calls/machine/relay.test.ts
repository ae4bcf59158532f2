import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answered, did, ended } from '../../../../../test/support/call-plays.ts';
import {
  AGENT,
  arrived,
  OTHER,
  type Played,
  ringOf,
  served,
  transfer,
} from '../../../../../test/support/front-desk-plays.ts';
import { fillRelay } from '../../../numbers/index.ts';
import type { RelayEndReason } from '../state/call-relay.ts';

const SETTINGS = fillRelay({ url: 'wss://agent.example/' });

/** A call that an agent of text has answered. Its fallback rings a person. */
function answeredByRelay(): Played {
  const call = arrived({ type: 'relay', ...SETTINGS, fallback: ringOf([AGENT]) } as never);
  connect(call);
  return call;
}

const relayIdOf = (call: Played) => call.now().stream?.id as string;

function connect(call: Played): void {
  call.feed({ type: 'stream_connected', streamId: relayIdOf(call) });
}

function endRelay(call: Played, reason: RelayEndReason) {
  const relay = { reason, handoffData: null };
  return call.feed({ type: 'stream_over', streamId: relayIdOf(call), reason: 'client_closed', relay });
}

const returnCustomer = (call: Played) => call.feed(ended(call.leg(OTHER), 'busy'));

describe('a customer who returns from a transfer', () => {
  test('gets the fallback at once if the agent has failed while it rang', () => {
    const call = answeredByRelay();
    call.feed(transfer());
    assert.deepEqual(did(endRelay(call, 'agent_closed')), ['stop_stream'], 'the customer hears hold audio');
    assert.deepEqual(did(returnCustomer(call)), ['resume', 'hold', 'dial']);
    assert.equal(call.now().answeredBy, null);
  });

  test('waits for the application if the agent has handed over, before it or while it rang', () => {
    for (const isBefore of [true, false]) {
      const call = answeredByRelay();
      if (isBefore) endRelay(call, 'agent_ended');
      call.feed(transfer());
      if (!isBefore) endRelay(call, 'agent_ended');
      assert.equal(call.now().timers.application, undefined);
      assert.deepEqual(did(returnCustomer(call)), ['resume']);
      assert.deepEqual(did(call.feed(call.timer('application'), 20_000)), ['hold', 'dial']);
    }
  });

  test('is with the next agent if the platform has connected one', () => {
    const call = answeredByRelay();
    call.feed(transfer());
    endRelay(call, 'agent_closed');
    call.feed({ type: 'start_relay', relay: { relayId: 'rly_2', settings: SETTINGS } });
    connect(call);
    assert.deepEqual(did(returnCustomer(call)), ['resume']);
    assert.deepEqual([call.now().answeredBy, call.now().timers.application], ['relay', undefined]);
  });

  test('is with the agent if it has not ended', () => {
    const call = answeredByRelay();
    call.feed(transfer());
    assert.deepEqual(did(returnCustomer(call)), ['resume']);
    assert.equal(call.now().timers.application, undefined);
  });

  test('has a call that fails if no fallback is there', () => {
    const call = served();
    call.feed({ type: 'start_relay', relay: { relayId: 'rly_1', settings: SETTINGS } });
    connect(call);
    call.feed(transfer());
    endRelay(call, 'agent_silent');
    returnCustomer(call);
    assert.deepEqual([call.now().status, call.now().outcome], ['failed', 'no_application']);
  });
});

test('a failed agent has no fallback any more once a transfer is answered', () => {
  const call = answeredByRelay();
  call.feed(transfer());
  endRelay(call, 'agent_closed');
  assert.deepEqual(did(call.feed(answered(call.leg(OTHER)))), ['bridge']);
});
