/** What the domain tells the simulated carrier to do, each under the lock of its call. */

import { durationMsOf } from '../../../audio/pcm.ts';
import { beep, dtmf } from '../../../audio/tones.ts';
import { isWebClient } from '../../../domain/voice/index.ts';
import { isEmergencyNumber } from '../../../lib/emergency.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { VoiceEvent, VoiceInstruction, VoiceRefusal } from '../../ports/voice.ts';
import { MAGIC } from '../magic-numbers.ts';
import {
  cancelOnCall,
  cutSounds,
  endRecordings,
  enterLeg,
  enterRecording,
  enterSound,
  takeUnreported,
} from './books.ts';
import { listWaiting } from './listening.ts';
import {
  changeLeg,
  endLeg,
  findLeg,
  LEAVE_AFTER_MS,
  type OnCall,
  plan,
  planHangUp,
  pressName,
  RING_AFTER_MS,
  recordingEnded,
  STAY_MS_MAX,
  TALK_MS,
} from './parties.ts';
import { newLeg, type SimulatedLeg } from './queries.ts';
import { tellsKeys } from './script.ts';
import { leaveMessage, sayInTurn, stayUntil } from './waiting.ts';
import { ringWebClient } from './web-clients.ts';

type Answer = Outcome<object, VoiceRefusal>;
/** What a command came to: an answer, and what is reported soon after it. */
type Done = Answer | readonly VoiceEvent[];
type Command<Name extends VoiceInstruction['do']> = Extract<VoiceInstruction, { do: Name }>;
type CarryOut<Name extends VoiceInstruction['do']> = (
  on: OnCall,
  command: Command<Name>,
  spokenMs: number,
) => Promise<Done>;

const GONE: Answer = { outcome: 'rejected', reason: 'leg_gone' };
const BEEP_MS = durationMsOf(beep());
const PRESS_AFTER_MS = 1_500;
/** How long somebody stays who has heard a speech. */
const LISTEN_GRACE_MS = 2_000;
const SMALL_TALK_AFTER_MS = { customer: 6_000, agent: 9_000 } as const;
const SMALL_TALK = {
  customer: 'Hello, I am calling about my appointment tomorrow.',
  agent: 'Of course, let me look that up for you.',
} as const;

const up = (on: OnCall, legRefs: readonly string[]): SimulatedLeg[] =>
  legRefs.map((ref) => findLeg(on, ref)).filter((leg) => leg?.state === 'up') as SimulatedLeg[];

const COMMANDS: { readonly [Name in VoiceInstruction['do']]: CarryOut<Name> } = {
  dial: async (on, { legRef, party, to }) => {
    const known = findLeg(on, legRef);
    if (known !== undefined) return known.state === 'ended' ? GONE : [];
    if (isWebClient(to)) return ringWebClient(on, { legRef, party, webClient: to });
    if (!to.startsWith('+') && !isEmergencyNumber(to)) return { outcome: 'rejected', reason: 'destination_refused' };
    const { call_ref } = on.call;
    enterLeg(on.call, newLeg({ leg_ref: legRef, call_ref, party, address: to, dialled: true, state: 'dialing' }));
    await plan(on, [{ name: `ring:${legRef}`, inMs: RING_AFTER_MS, act: { act: 'ring', legRef } }]);
    return [];
  },

  answer: async (on, { legRef }) => {
    const leg = findLeg(on, legRef);
    if (leg === undefined || leg.state === 'ended') return GONE;
    const answered = await changeLeg(on, leg, { state: 'up', answered_at: on.call.now });
    await plan(on, on.call.script === null ? [planHangUp(answered, TALK_MS)] : []);
    return [{ type: 'leg.answered', callRef: on.call.call_ref, legRef }];
  },

  hang_up: async (on, { legRef, reason }) => {
    const leg = findLeg(on, legRef);
    if (leg === undefined) enterLeg(on.call, neverDialled(on, legRef, reason));
    return leg === undefined || leg.state === 'ended' ? [] : endLeg(on, leg, 'canceled', reason);
  },

  bridge: async (on, { legRefs }) => {
    const legs = up(on, legRefs);
    if (legs.length < legRefs.length) return GONE;
    const waiting = legs.map((leg) => ({ leg, words: listWaiting(on.call, leg) }));
    on.call.bridged_at = on.call.now;
    const customer = legs.find((leg) => leg.party === 'customer');
    if (customer !== undefined && on.call.script === null) await plan(on, [planHangUp(customer, TALK_MS)]);
    for (const { leg, words } of waiting) await sayInTurn(on, leg.leg_ref, words, on.call.now);
    return [{ type: 'legs.bridged', callRef: on.call.call_ref, legRefs }];
  },

  speak: async (on, { speechRef, legRefs, text, purpose, listenMs }, spokenMs) => {
    const legs = up(on, legRefs);
    if (legs.length === 0) return GONE;
    enterSound(on.call, {
      ref: speechRef,
      said_by: null,
      played_to: legs.map((leg) => leg.leg_ref),
      kind: 'speech',
      content: text,
      starts_at: on.call.now,
      duration_ms: spokenMs,
    });
    // Whoever is to press keys stays until stop_gather.
    const staysMs = purpose === 'gather' ? STAY_MS_MAX : spokenMs + LISTEN_GRACE_MS;
    const until = new Date(on.call.now.getTime() + staysMs);
    for (const leg of legs) await stayUntil(on, leg.leg_ref, until);
    const ends = { name: `speech:${speechRef}`, inMs: spokenMs, act: { act: 'report_sound', ref: speechRef } as const };
    // Nobody presses a key when it is too late for it.
    const isInTime = purpose === 'gather' && (listenMs ?? PRESS_AFTER_MS) >= PRESS_AFTER_MS;
    const pressing = legs.filter((leg) => isInTime && pressesKeys(on, leg));
    const presses = pressing.map(({ leg_ref: legRef }) => ({
      name: pressName(speechRef),
      inMs: spokenMs + PRESS_AFTER_MS,
      act: { act: 'press', legRef, digit: '1' } as const,
    }));
    await plan(on, [ends, ...presses]);
    return [];
  },

  stop_prompt: (on, { speechRef }) => breakOff(on, speechRef),

  stop_gather: async (on, { speechRef }) => {
    cancelOnCall(on.call, [pressName(speechRef)]);
    for (const leg of on.call.legs) {
      if (leg.party === 'customer' && leg.state === 'up') await changeLeg(on, leg, { busy_until: null });
    }
    await letGo(on);
    return breakOff(on, speechRef);
  },

  send_digits: async (on, { legRef, digits }) => {
    if (up(on, [legRef]).length === 0) return GONE;
    const starts_at = on.call.now;
    enterSound(on.call, {
      ref: `keys:${starts_at.getTime()}:${digits}`,
      said_by: null,
      played_to: [legRef],
      kind: 'keys',
      content: digits,
      starts_at,
      duration_ms: durationMsOf(dtmf(digits)),
    });
    return [];
  },

  start_recording: async (on, { recordingRef, legRefs, beep: beeps }) => {
    const legs = up(on, legRefs);
    if (legs.length === 0) return GONE;
    const { call } = on;
    const starts_at = new Date(call.now.getTime() + (beeps ? BEEP_MS : 0));
    const leg_refs = legs.map((leg) => leg.leg_ref);
    enterRecording(call, { recording_ref: recordingRef, leg_refs, starts_at });
    if (!beeps) return [];
    enterSound(call, {
      ref: `beep:${recordingRef}`,
      said_by: null,
      played_to: leg_refs,
      kind: 'beep',
      content: '',
      starts_at: call.now,
      duration_ms: BEEP_MS,
    });
    for (const leg of legs) await leaveMessage(on, leg, starts_at);
    return [];
  },

  stop_recording: async (on, { recordingRef }) => {
    const { call } = on;
    const ended = endRecordings(call, recordingRef);
    return ended.map((recording) => recordingEnded(call.call_ref, recording));
  },

  start_transcription: async (on, { legRefs }) => {
    const legs = up(on, legRefs);
    if (legs.length === 0) return GONE;
    if (on.call.script !== null) return [];
    // Who sits at a web client speaks for himself.
    const played = legs.filter((leg) => !isWebClient(leg.address));
    const talk = played.map(({ leg_ref: legRef, party }) => ({
      name: `small_talk:${legRef}`,
      inMs: SMALL_TALK_AFTER_MS[party],
      act: { act: 'small_talk', legRef, text: SMALL_TALK[party] } as const,
    }));
    await plan(on, talk);
    return [];
  },

  start_stream: async (on, { streamRef, legRef }) => {
    const { call } = on;
    const leg = findLeg(on, legRef);
    if (leg === undefined || leg.state === 'ended') return GONE;
    const refs = { callRef: call.call_ref, streamRef };
    // Said at once, so that no client can connect to what is not there.
    const fails = call.legs.some(({ address, state }) => address === MAGIC.streamFails && state !== 'ended');
    if (fails) return { outcome: 'rejected', reason: 'not_supported' };
    call.stream_ref = streamRef;
    return [{ type: 'stream.started', ...refs }];
  },

  stop_stream: async (on, { streamRef }) => {
    const { call } = on;
    if (call.stream_ref !== streamRef) return [];
    call.stream_ref = null;
    await letGo(on);
    return [{ type: 'stream.ended', callRef: call.call_ref, streamRef }];
  },
};

/** A leg that was hung up before it was dialled: it is remembered, for a dial that comes late. */
function neverDialled({ call: { call_ref } }: OnCall, leg_ref: string, end_reason: string): SimulatedLeg {
  const leg = newLeg({ leg_ref, call_ref, party: 'agent', address: '', dialled: true, state: 'ended' });
  return { ...leg, end_reason };
}

/** A customer who may have stayed for a stream or a gather hangs up when the talk is over, or soon after. */
async function letGo(on: OnCall): Promise<void> {
  const { call } = on;
  const customer = call.legs.find((leg) => leg.party === 'customer' && leg.state === 'up');
  const since = call.bridged_at ?? customer?.answered_at ?? null;
  if (customer === undefined || since === null || customer.leaves_message || call.script !== null) return;
  const talksMs = since.getTime() + TALK_MS - call.now.getTime();
  await plan(on, [planHangUp(customer, Math.max(talksMs, LEAVE_AFTER_MS))]);
}

/** Carries a command out. `spokenMs` is how long its text takes to speak, where it has one. */
export async function carryOut(on: OnCall, command: VoiceInstruction, spokenMs: number): Promise<Done> {
  const run = COMMANDS[command.do] as CarryOut<VoiceInstruction['do']>;
  return run(on, command as never, spokenMs);
}

function pressesKeys(on: OnCall, leg: SimulatedLeg): boolean {
  return leg.party === 'customer' && leg.address !== MAGIC.pressesNothing && !tellsKeys(on.call.script);
}

/** Breaks a speech off, if it is still to be heard. */
async function breakOff(on: OnCall, speechRef: string): Promise<Done> {
  const { call } = on;
  cancelOnCall(call, [`speech:${speechRef}`]);
  const running = takeUnreported(call, speechRef);
  cutSounds(call, speechRef);
  return running.map(() => ({ type: 'speech.ended', callRef: call.call_ref, speechRef, completed: false }));
}
