import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answered, commandsOf, ended } from '../../../../../test/support/call-plays.ts';
import {
  AGENT,
  arrive,
  OTHER,
  type Played,
  ringOf,
  talking,
  transfer,
} from '../../../../../test/support/front-desk-plays.ts';
import type { ListenerHearers } from '../state/call-listener.ts';
import type { CallEffect, CallInput } from '../state/call-step.ts';

const WEB_CLIENT = 'wcl_00000000000000000000000001';
const LISTENER = 'wcl_00000000000000000000000002';

const listen = (speaksTo: ListenerHearers): CallInput => ({
  type: 'add_listener',
  listener: { id: 'lsn_1', webClientId: LISTENER, speaksTo },
});
const consult = (to: string) => transfer({ to, consults: true });

/** Returns the agents' legs whose audio the effects request. */
const requested = (effects: readonly CallEffect[]) =>
  commandsOf(effects).flatMap((command) =>
    command.do === 'start_stream' && command.legRef !== 'caller' ? [command.legRef] : [],
  );

/** An inbound call that a web client has answered. */
function talkingToWebClient(): Played {
  const call = arrive(ringOf([WEB_CLIENT]));
  call.feed(answered(call.leg(WEB_CLIENT)));
  call.feed(answered('caller'));
  return call;
}

describe('the audio of an agent’s telephone', () => {
  test('is requested once a listener speaks to it, and not for one who only listens', () => {
    assert.deepEqual(requested(talking().feed(listen('none'))), []);
    for (const speaksTo of ['agent', 'all'] as const) {
      const call = talking();
      assert.deepEqual(requested(call.feed(listen(speaksTo))), [call.leg(AGENT)]);
      assert.deepEqual(requested(call.feed({ type: 'bridged' })), []);
    }
    assert.deepEqual(requested(talkingToWebClient().feed(listen('all'))), []);
  });

  test('is requested while it consults a web client, of the one at the telephone', () => {
    const asking = talking();
    asking.feed(consult(WEB_CLIENT));
    assert.deepEqual(requested(asking.feed(answered(asking.leg(WEB_CLIENT)))), [asking.leg(AGENT)]);
    const asked = talkingToWebClient();
    assert.deepEqual(requested(asked.feed(consult(OTHER))), []);
    assert.deepEqual(requested(asked.feed(answered(asked.leg(OTHER)))), [asked.leg(OTHER)]);
  });

  test('is requested of two telephones that consult only if somebody listens', () => {
    const alone = talking();
    alone.feed(consult(OTHER));
    assert.deepEqual(requested(alone.feed(answered(alone.leg(OTHER)))), []);
    assert.deepEqual(requested(alone.feed(listen('none'))), [alone.leg(AGENT), alone.leg(OTHER)]);
  });

  test('is requested again after it was lost, if it is still needed', () => {
    const call = talking();
    call.feed(listen('agent'));
    const lost: CallInput = { type: 'audio_lost', legId: call.leg(AGENT) };
    assert.deepEqual(requested(call.feed(lost)), [call.leg(AGENT)]);
    call.feed(ended('lsn_1'));
    call.feed({ type: 'remove_listener', listenerId: 'lsn_1' });
    assert.deepEqual(requested(call.feed(lost)), []);
    assert.deepEqual(requested(call.feed(listen('all'))), [call.leg(AGENT)]);
  });

  test('is requested again after the carrier was unavailable, and not at once after a refusal', () => {
    const call = talking();
    const commands = commandsOf(call.feed(listen('agent')));
    const command = commands.find((each) => each.do === 'start_stream' && each.legRef === call.leg(AGENT));
    assert.ok(command);
    const failed = { type: 'command_failed', command } as const;
    assert.deepEqual(requested(call.feed({ ...failed, reason: 'not_supported' })), []);
    assert.deepEqual(requested(call.feed({ ...failed, reason: 'unavailable' })), [call.leg(AGENT)]);
  });
});
