import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChaosFacts, StoredCall, StoredText } from './chaos-facts.ts';
import { findProblems } from './chaos-findings.ts';

const LIMITS = { healedMs: 90_000, outages: [] };

const text: StoredText = {
  id: 'msg_1',
  direction: 'outbound',
  to: '+16025552000',
  from: '+16025550100',
  body: 'Text 0',
  status: 'delivered',
  error_code: null,
  events: [{ type: 'message.delivered', sequence: 1, atMs: 5_000 }],
  usage: [{ kind: 'sms_segment_outbound', quantity: 2, times: 1 }],
};

const call: StoredCall = {
  id: 'call_1',
  direction: 'inbound',
  status: 'completed',
  outcome: 'voicemail',
  connectedAtMs: 1_000,
  endedAtMs: 20_000,
  log: [{ type: 'hangup', detail: { outcome: 'voicemail' } }],
  events: [
    { type: 'call.started', sequence: 1, atMs: 500 },
    { type: 'call.completed', sequence: 2, atMs: 21_000 },
  ],
  usage: [{ kind: 'call_minute_inbound', quantity: 1, times: 1 }],
  recordings: [{ id: 'rec_1', purpose: 'voicemail', durationMs: 3_000, events: 1 }],
};

const leg = {
  callRef: 'call_1',
  legRef: 'leg_1',
  party: 'customer',
  state: 'ended',
  answeredAtMs: 1_000,
  endedAtMs: 20_000,
} as const;

const good: ChaosFacts = {
  asked: {
    texts: [{ direction: 'outbound', person: '+16025552000', body: 'Text 0', segments: 2, id: 'msg_1' }],
    calls: [{ kind: 'message', marker: 'call-0', id: 'call_1', over: true }],
  },
  texts: [text],
  calls: [call],
  carrier: {
    texts: [{ ref: 'msg_1', to: '+16025552000', body: 'Text 0' }],
    legs: [leg],
    recordings: [{ callRef: 'call_1', recordingRef: 'rec_1', durationMs: 3_000 }],
    repeated: ['messaging.findSend msg_1', 'voice.dispatch call_1:1'],
  },
  work: { jobs: 0, lanes: 0 },
  usage: {
    hours: [{ kind: 'sms', quantity: 2 }],
    days: [{ kind: 'sms', quantity: 2 }],
    uses: [{ kind: 'sms', quantity: 2 }],
  },
};

test('a good run has no findings', () => {
  assert.deepEqual(findProblems(good, LIMITS), []);
});

const withText = (changed: Partial<StoredText>): ChaosFacts => ({ ...good, texts: [{ ...text, ...changed }] });
const withCall = (changed: Partial<StoredCall>): ChaosFacts => ({ ...good, calls: [{ ...call, ...changed }] });
const withCarrier = (changed: Partial<ChaosFacts['carrier']>): ChaosFacts => ({
  ...good,
  carrier: { ...good.carrier, ...changed },
});
const [delivered] = text.events;
const [started, completed] = call.events;
const ended = { type: 'hangup', detail: { outcome: 'voicemail' } };
const message = call.recordings[0] as StoredCall['recordings'][number];

test('the time in which the product did not run does not count', () => {
  const late = withCall({ events: [started, { ...completed, atMs: 111_000 }] as StoredCall['events'] });
  assert.deepEqual(findProblems(late, { ...LIMITS, outages: [{ fromMs: 15_000, toMs: 22_000 }] }), []);
});

const BAD: Readonly<Record<string, readonly [ChaosFacts, RegExp]>> = {
  'a text that the carrier took twice': [withCarrier({ repeated: ['messaging.send msg_1'] }), /done twice.*msg_1/],
  'a leg that was dialled twice': [withCarrier({ repeated: ['voice.dial leg_1'] }), /done twice.*leg_1/],
  'a text that is gone': [{ ...good, texts: [] }, /stored 0 times/],
  'a text that is stored twice': [{ ...good, texts: [text, { ...text, id: 'msg_2' }] }, /stored 2 times/],
  'a text that the client did not send': [
    { ...good, texts: [text, { ...text, id: 'msg_2', body: 'Hi' }] },
    /msg_2 was never asked for/,
  ],
  'a text with another id than the reply': [withText({ id: 'msg_3' }), /the reply named another id/],
  'a text without an end': [withText({ status: 'queued', events: [] }), /it is queued/],
  'a text with two ends': [
    withText({ events: [...text.events, { type: 'message.failed', sequence: 2, atMs: 6_000 }] }),
    /message.delivered, message.failed/,
  ],
  'a gap in the events of a text': [withText({ events: [{ ...delivered, sequence: 2 } as never] }), /have a gap/],
  'a delivered text that the carrier never had': [withCarrier({ texts: [] }), /it is delivered|has it 0 times/],
  'a failed text that the carrier has': [withText({ status: 'failed' }), /it is failed/],
  'a text only at the carrier': [
    withCarrier({ texts: [...good.carrier.texts, { ref: 'msg_9', to: '', body: '' }] }),
    /the carrier has msg_9/,
  ],
  'a text with too few segments': [
    withText({ usage: [{ kind: 'sms_segment_outbound', quantity: 1, times: 1 }] }),
    /its usage/,
  ],
  'a text that is not counted': [withText({ usage: [] }), /its usage/],
  'a call that is gone': [{ ...good, calls: [] }, /stored 0 times/],
  'a call that nobody made': [{ ...good, calls: [call, { ...call, id: 'call_2' }] }, /call_2 was never asked for/],
  'a call that goes on': [withCall({ status: 'in_progress', endedAtMs: null }), /it is in_progress/],
  'a call that ended twice': [withCall({ log: [ended, ended] }), /log has 2 ends/],
  'a call with two call.completed': [
    withCall({ events: [started, completed, { ...completed, sequence: 3 }] as StoredCall['events'] }),
    /2 call.completed/,
  ],
  'a missed call without call.missed': [withCall({ outcome: 'missed', recordings: [] }), /0 call.missed/],
  'an answered call without call.answered': [withCall({ outcome: 'answered', recordings: [] }), /no call.answered/],
  'a voicemail without a message': [withCall({ recordings: [] }), /it has 0 messages/],
  'a message without an event': [withCall({ recordings: [{ ...message, events: 0 }] }), /0 events/],
  'a recording that nobody wanted': [
    withCall({ recordings: [message, { ...message, id: 'rec_2', purpose: 'call' }] }),
    /it has 1 recordings/,
  ],
  'minutes that were counted twice': [
    withCall({ usage: [{ kind: 'call_minute_inbound', quantity: 2, times: 2 }] }),
    /its call_minute_inbound/,
  ],
  'minutes of a time when the customer was gone': [
    withCall({ endedAtMs: 80_000, usage: [{ kind: 'call_minute_inbound', quantity: 2, times: 1 }] }),
    /2 minutes of 19 s/,
  ],
  'minutes without a connection': [
    withCarrier({ legs: [{ ...leg, answeredAtMs: null }] }),
    /without a connection at the carrier/,
  ],
  'an end that was noticed late': [
    withCall({ events: [started, { ...completed, atMs: 111_000 }] as StoredCall['events'] }),
    /ended 91 s after its legs/,
  ],
  'a leg that no call has': [
    withCarrier({ legs: [leg, { ...leg, legRef: 'leg_2', callRef: '' }] }),
    /leg_2 is of no call/,
  ],
  'a leg that is still up': [withCarrier({ legs: [{ ...leg, state: 'up', endedAtMs: null }] }), /still up/],
  'a recording that goes on': [
    withCarrier({ recordings: [{ callRef: 'call_1', recordingRef: 'rec_1', durationMs: null }] }),
    /rec_1 is still made/,
  ],
  'work that is left': [{ ...good, work: { jobs: 1, lanes: 0 } }, /1 jobs are left/],
  'sums by hour that differ': [{ ...good, usage: { ...good.usage, hours: [] } }, /hourly sums/],
  'sums by day that differ': [{ ...good, usage: { ...good.usage, days: [] } }, /daily sums/],
};

for (const [what, [facts, finding]] of Object.entries(BAD)) {
  test(`${what} is found`, () => {
    assert.match(findProblems(facts, LIMITS).join('\n'), finding);
  });
}
