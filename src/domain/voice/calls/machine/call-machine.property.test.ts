import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertNothingListensEarly } from '../../../../../test/support/listening-watch.ts';
import { checkProperty } from '../../../../../test/support/property.ts';
import { LEG_END_CAUSES } from '../../../../carriers/ports/voice.ts';
import type { CallBehavior, MenuBehavior } from '../../../numbers/index.ts';
import type { Call, CallStatus, TimerName } from '../state/call.ts';
import { TIMERS } from '../state/call.ts';
import type { CallEffect, CallInput, Step } from '../state/call-step.ts';
import { TRANSFER_FALLBACKS, type WantedTransfer } from '../state/call-transfer.ts';
import { step } from './call-machine.ts';
import { beginInbound } from './inbound.ts';
import { beginAgentCall, beginClickToCall } from './outbound.ts';

const RUNS = 4_000;
const STEPS_MAX = 140;

const ARROWS: Record<Call['direction'], Partial<Record<CallStatus, readonly CallStatus[]>>> = {
  outbound: {
    dialing: ['ringing', 'failed'],
    ringing: ['in_progress', 'failed'],
    in_progress: ['completed', 'failed'],
  },
  inbound: { ringing: ['in_progress', 'missed'], in_progress: ['completed'] },
};

const voicemail = { type: 'voicemail' as const, greeting_text: 'Please leave a message.', transcribe: true };
const limits = { ringMsMax: 30_000, callMsMax: 3_600_000 };
const ids = {
  id: 'call_00000000000000000000000001',
  recordingId: 'rec_00000000000000000000000001',
  voicemailRecordingId: 'rec_00000000000000000000000002',
  number: '+16025550100',
  customer: '+14805550111',
  limits,
};

const WEB_CLIENT = 'wcl_00000000000000000000000001';
const targets = ['+16025550121', '+16025550122', '+16025550123'];

const beginning = fc.oneof(
  fc
    .record({
      agent: fc.constantFrom('+16025550120', 'application'),
      record: fc.boolean(),
      announce: fc.boolean(),
      transcribe: fc.boolean(),
      listeningAnnouncement: fc.constantFrom(null, 'This call is transcribed.'),
    })
    .map((wanted) => beginClickToCall({ ...ids, ...wanted }, 0)),
  fc.constant(0).map((nowMs) => beginAgentCall({ ...ids, agent: WEB_CLIENT, legId: 'leg_web' }, nowMs)),
  fc
    .record({
      enabled: fc.boolean(),
      consent_announcement: fc.boolean(),
      rings: fc.integer({ min: 0, max: 3 }),
      strategy: fc.constantFrom('simultaneous' as const, 'sequential' as const),
      answers: fc.boolean(),
      serves: fc.boolean(),
      offers: fc.boolean(),
      listeningAnnouncement: fc.constantFrom(null, 'This call is transcribed.'),
    })
    .map(({ rings, strategy, answers, serves, offers, listeningAnnouncement, ...recording }) => {
      const noAnswer = answers ? voicemail : null;
      const rung = [...targets.slice(0, rings), ...(serves ? ['application'] : [])];
      const ring = { type: 'ring' as const, targets: rung, strategy, timeout_seconds: 20 };
      const behavior = rung.length === 0 ? voicemail : { ...ring, no_answer: noAnswer };
      return beginInbound(
        {
          ...{ ...ids, legId: 'leg_caller', behavior: offers ? menuTo(behavior) : behavior, recording },
          route: { configId: 'rtc_1', branch: 'open' },
          listeningAnnouncement,
        },
        0,
      );
    }),
);

/** A menu with two ways to the behavior: option 1, and option 2 with a second menu. */
function menuTo(behavior: CallBehavior): MenuBehavior {
  const menu = { type: 'menu' as const, prompt: 'Press a key.', timeout_seconds: 6, tries: 2, otherwise: voicemail };
  return { ...menu, options: { '1': behavior, '2': { ...menu, options: { '*': behavior } } } };
}

/** A random choice of an input. The state of the call then decides which leg, timer or speech the input names. */
type Choice = { kind: number; pick: number; forMs: number; old: boolean };
const choices = fc.array(
  fc.record({
    kind: fc.nat(26),
    pick: fc.nat(20),
    forMs: fc.nat(9_000),
    old: fc.boolean(),
  }),
  { minLength: 40, maxLength: STEPS_MAX },
);

function inputFor(call: Call, seen: readonly CallEffect[], { kind, pick, old }: Choice): CallInput {
  const leg = call.legs[pick % call.legs.length]?.id ?? 'leg_nobody';
  const speeches = seen.flatMap((effect) =>
    effect.do === 'command' && effect.command.do === 'speak' ? [effect.command.speechRef] : [],
  );
  const commands = seen.flatMap((effect) => (effect.do === 'command' ? [effect.command] : []));
  const timer = (name: TimerName): CallInput => {
    const generation = (call.timers[name] ?? 0) - (old ? 1 : 0);
    return { type: 'timer', name, generation };
  };
  const stream = pick % 4 === 0 ? 'stm_old' : (call.stream?.id ?? 'stm_none');
  const recordings = [call.recordingId, call.voicemailRecordingId];
  switch (kind) {
    case 0:
    case 1:
      return { type: 'leg_ringing', legId: leg };
    case 2:
    case 3:
    case 4:
    case 5:
      return { type: 'leg_answered', legId: leg };
    case 6:
      return {
        type: 'leg_ended',
        legId: leg,
        cause: LEG_END_CAUSES[pick % LEG_END_CAUSES.length] ?? 'hangup',
        ...(old && { recordedMs: { [call.voicemailRecordingId]: pick * 50 } }),
      };
    case 7:
      return { type: 'digit', legId: leg, digit: '0123456789*#'[pick % 12] ?? '0', digitRef: `key${pick}` };
    case 8:
      return { type: 'bridged' };
    case 9:
    case 10:
      return { type: 'speech_ended', speechRef: speeches[pick % speeches.length] ?? 'none', completed: !old };
    case 11:
      return {
        type: 'recording_ended',
        recordingRef: recordings[pick % 2] as string,
        durationMs: old ? pick * 40 : 4_000,
      };
    case 12: {
      const failed = commands[pick % commands.length];
      return failed && pick > 15
        ? { type: 'command_failed', command: failed, reason: 'leg_gone' }
        : { type: 'send_digits', digits: '12' };
    }
    case 13:
    case 14:
      return timer(TIMERS.filter((name) => name !== 'longest')[pick % (TIMERS.length - 1)] as TimerName);
    case 15:
      return { type: 'gather', prompt: 'Press a key.', maxDigits: (pick % 4) + 1, terminator: '#', timeoutMs: 5_000 };
    case 16:
      return { type: 'transcribe' };
    case 17:
      return { type: 'start_stream', stream: { id: `stm_${pick}`, direction: 'fork', track: 'both' } };
    case 18:
      return { type: 'stream_connected', streamId: stream };
    case 19:
      return pick > 10
        ? { type: 'stream_unused', streamId: stream }
        : { type: 'stream_over', streamId: stream, reason: old ? 'client_closed' : 'carrier_error' };
    case 20: {
      const to = (['customer', 'agent', 'both'] as const)[pick % 3] ?? 'customer';
      return {
        type: 'speak',
        speech: { id: `spc_${seen.length}_${(call.speeches ?? []).length}`, text: 'One moment.', to },
      };
    }
    case 21:
      return pick > 15 ? { type: 'stop_speaking' } : { type: 'hold', audioRef: null };
    case 22:
      if (pick > 12) return { type: pick > 18 ? 'complete_consult' : 'cancel_consult' };
      return { type: 'resume' };
    case 23:
    case 24:
      return { type: 'transfer', transfer: pick > 17 ? null : transferTo(pick), voicemail, audioRef: null };
    case 25: {
      const action = (['start', 'pause', 'resume', 'stop'] as const)[pick % 4] ?? 'start';
      const recordingId = `rec_${seen.length}`;
      return { type: 'control_recording', action, recordingId, announce: !old };
    }
    default:
      return pick > 18 ? { type: 'hang_up' } : timer('ring');
  }
}

function transferTo(pick: number): WantedTransfer {
  return {
    to: [...targets, WEB_CLIENT][pick % 4] as string,
    announcement: pick % 2 === 0 ? null : 'A caller about an appointment.',
    ringMs: 20_000,
    onNoAnswer: TRANSFER_FALLBACKS[pick % 3] ?? 'return',
    voicemail,
    consults: pick % 5 < 3,
  };
}

/** The invariants of a history, checked after each step. */
function createWatch() {
  const all: CallEffect[] = [];
  const dialled = new Set<string>();
  const hungUp = new Set<string>();
  const armed = new Map<TimerName, number>();
  let openGathers = 0;
  let openStreams = 0;
  const speaking = new Set<string>();
  let transfers = 0;
  let newAgents = 0;
  /** The present consultations, and the consultations after which the customer was back with the agent. */
  let consults = 0;
  let returns = 0;

  const noteEvent = ({ type, data }: Extract<CallEffect, { do: 'emit' }>, call: Call) => {
    if (type === 'call.gather') openGathers--;
    if (type === 'call.speech.ended') assert.ok(speaking.delete(data.speech_id), 'a speech ends twice');
    if (type.startsWith('call.transfer.') && type !== 'call.transfer.answered')
      transfers += type === 'call.transfer.started' ? 1 : -1;
    if (type === 'call.transfer.completed' && data.to !== 'voicemail') newAgents++;
    if (type === 'call.transfer.failed' && consults > 0 && call.stage.name !== 'ended') returns++;
    if (type === 'call.transfer.failed' || type === 'call.transfer.completed') consults = 0;
  };
  const note = (effect: CallEffect, call: Call) => {
    all.push(effect);
    if (effect.do === 'set_timer') armed.set(effect.name, effect.generation);
    if (effect.do === 'clear_timer') armed.delete(effect.name);
    if (effect.do === 'log' && effect.type === 'gather_started') openGathers++;
    if (effect.do === 'end_stream') openStreams--;
    if (effect.do === 'emit') noteEvent(effect, call);
    if (effect.do !== 'command') return;
    const { command } = effect;
    if (command.do === 'dial') {
      assert.ok(!hungUp.has(command.legRef), 'a dial follows its hang-up');
      assert.ok(!dialled.has(command.legRef), 'a leg is dialled twice');
      dialled.add(command.legRef);
    }
    if (command.do === 'hang_up') {
      assert.ok(!hungUp.has(command.legRef), 'a leg is hung up twice');
      hungUp.add(command.legRef);
    }
    if ('legRefs' in command) {
      const states = command.legRefs.map((ref) => call.legs.find((leg) => leg.id === ref)?.state);
      // A step may end the call after the command.
      assert.ok(
        states.every((state) => state === 'up' || call.stage.name === 'ended'),
        `${command.do} to ${states}`,
      );
    }
    // Before the voicemail takes a call, its recording is stopped while the customer's leg stays.
    if (command.do === 'stop_recording' && call.stage.name === 'ended') {
      for (const { id, state } of call.legs) assert.ok(state === 'ended' || hungUp.has(id), 'a leg is not hung up yet');
    }
    if (command.do === 'bridge') {
      const both = command.legRefs.map((ref) => call.legs.find((leg) => leg.id === ref)?.party);
      const isConsult = both[1] === 'agent';
      if (isConsult) assert.equal(consults++, 0, 'agents are connected who are connected');
      assert.deepEqual(both, ['agent', isConsult ? 'agent' : 'customer']);
    }
  };

  const count = (test: (effect: CallEffect) => boolean) => all.filter(test).length;
  const check = (before: Call, { call, effects }: Step) => {
    for (const effect of effects) note(effect, call);
    if (call.status !== before.status) {
      // One step may follow several arrows.
      const arrows = ARROWS[call.direction];
      const onward = (from: CallStatus): boolean =>
        from === call.status || (arrows[from] ?? []).some((to) => onward(to));
      assert.ok(onward(before.status), `${before.status} -> ${call.status}`);
    }
    const agents = call.legs.filter((leg) => leg.party === 'agent' && leg.state === 'up').length;
    assert.ok(agents <= (call.transfer?.consults === true ? 2 : 1), 'two winners');
    assert.equal(consults, call.transfer?.isConsulting === true ? 1 : 0, 'agents talk who are not connected');
    const joined = count(isBridgeOfCustomer(call)) - newAgents - returns;
    assert.ok(joined <= 1, 'bridged twice');
    assert.equal(transfers, call.transfer === undefined ? 0 : 1, 'a transfer without a result, or with two');
    const completed = count((effect) => effect.do === 'emit' && effect.type === 'call.completed');
    assert.equal(completed, call.stage.name === 'ended' ? 1 : 0, 'call.completed is not the end');
    assert.equal(call.endedAtMs !== null, call.stage.name === 'ended');
    const isOutbound = call.direction === 'outbound';
    assert.equal(count(isEvent('call.started')), isOutbound ? 0 : 1);
    assert.equal(count(isEvent('call.placed')), isOutbound ? 1 : 0);
    const served = count(
      (effect) => effect.do === 'log' && effect.type === 'answered' && effect.detail['answered_by'] === 'application',
    );
    assert.ok(served <= 1 && joined <= 1);
    assert.equal(count(isEvent('call.answered')), joined + served, 'call.answered is not the answer of a party');
    if (call.answeredBy === 'voicemail') assert.equal(joined, 0, 'a voicemail counts as an answer');
    for (const effect of effects) {
      if (effect.do !== 'keep_voicemail') continue;
      assert.ok(effect.durationMs >= 500, 'a message under half a second is kept');
      assert.equal(call.outcome, 'voicemail');
    }
    assert.deepEqual(Object.fromEntries(armed), call.timers, 'timers that are set are not those of the call');
    assert.equal(openGathers, call.gather === null ? 0 : 1, 'a gather without a result, or with two');
    if (call.stream !== null && call.stream.id !== before.stream?.id) openStreams++;
    assert.equal(openStreams, call.stream === null ? 0 : 1, 'a stream without an end, or with two');
    assert.ok(
      count(isCommand('stop_stream')) <= count(isCommand('start_stream')),
      'a stream is stopped that the carrier was not asked for',
    );
    for (const kind of ['call_minute_outbound', 'call_minute_inbound', 'transcription_minute']) {
      assert.ok(count((effect) => effect.do === 'meter' && effect.kind === kind) <= 1, `${kind} counted twice`);
    }
    const kept = all.flatMap((effect) => (effect.do === 'keep_recording' ? [effect.recordingId] : []));
    assert.equal(new Set(kept).size, kept.length, 'a recording is kept twice');
    assert.ok(count((effect) => effect.do === 'keep_voicemail') <= 1);
    assertNothingListensEarly(before, { call, effects });
    if (call.stage.name === 'ended') checkEnd(call);
  };

  const checkEnd = (call: Call) => {
    assert.deepEqual(call.timers, {});
    assert.equal(call.gather, null);
    assert.deepEqual([...speaking], [], 'a speech has no end');
    assert.equal(call.stream, null);
    for (const leg of call.legs) {
      assert.ok(leg.state === 'ending' || leg.state === 'ended', `${leg.id} is left ${leg.state}`);
      assert.ok(leg.state === 'ended' || hungUp.has(leg.id), `${leg.id} was never hung up`);
    }
    const emitted = all.flatMap((effect) => (effect.do === 'emit' ? [effect.type] : []));
    if (emitted.includes('call.missed')) assert.deepEqual(emitted.slice(-2), ['call.missed', 'call.completed']);
    assert.equal(emitted.includes('call.missed'), call.direction === 'inbound' && call.outcome === 'missed');
    assert.ok(emitted.indexOf('call.completed') === emitted.length - 1, 'an event follows call.completed');
  };

  return { check, queued: (speechId: string) => speaking.add(speechId) };
}

const isEvent = (name: string) => (effect: CallEffect) => effect.do === 'emit' && effect.type === name;
const isCommand = (name: string) => (effect: CallEffect) => effect.do === 'command' && effect.command.do === name;

const isBridgeOfCustomer =
  ({ legs }: Call) =>
  (effect: CallEffect) =>
    effect.do === 'command' &&
    effect.command.do === 'bridge' &&
    effect.command.legRefs.some((ref) => legs.find(({ id }) => id === ref)?.party === 'customer');

/** Carrier reports that are repeated. */
const REPORTS = new Set([
  'stream_connected',
  'stream_over',
  'stream_unused',
  'leg_ringing',
  'leg_answered',
  'leg_ended',
  'digit',
  'bridged',
  'recording_ended',
]);

test('any inputs in any order: one target is joined, the call ends once, no leg stays up, the status follows its arrows', () => {
  let steps = 0;
  const endings = new Set<string>();
  checkProperty(
    fc.property(beginning, choices, (first, sequence) => {
      const watch = createWatch();
      const seen: CallEffect[] = [...first.effects];
      watch.check(first.call, first);
      let call = first.call;
      let nowMs = 0;
      const feed = (input: CallInput) => {
        const next = step(call, input, nowMs);
        if (input.type === 'speak' && next.refusal === undefined) watch.queued(input.speech.id);
        watch.check(call, next);
        if (REPORTS.has(input.type))
          assert.deepEqual(step(next.call, input, nowMs).effects, [], 'a repeat has effects');
        seen.push(...next.effects);
        call = next.call;
        steps++;
      };
      for (const choice of sequence) {
        nowMs += choice.forMs;
        feed(inputFor(call, seen, choice));
      }
      feed({ type: 'timer', name: 'longest', generation: call.timers.longest ?? 0 });
      assert.equal(call.stage.name, 'ended');
      endings.add(`${call.direction} ${call.status} ${call.outcome}`);
    }),
    { runs: RUNS },
  );
  assert.ok(steps >= 100_000, `only ${steps} steps`);
  // The inputs must reach every part of the machine; otherwise the property proves little.
  for (const ending of [
    'outbound completed answered',
    'outbound failed no_answer',
    'outbound failed busy',
    'outbound failed canceled',
    'inbound completed answered',
    'inbound completed voicemail',
    'inbound completed missed',
    'inbound missed missed',
    'outbound failed no_application',
  ]) {
    assert.ok(endings.has(ending), `no history ended as ${ending}: ${[...endings].join(', ')}`);
  }
});
