/** The legs of calls as the emulated Telnyx has them, and what is reported about them. */
import { randomBytes, randomUUID } from 'node:crypto';
import { Refusal } from '../replies.ts';
import { nowText } from '../state.ts';
import type { World } from '../world.ts';
import type { Sound } from './sounds.ts';

export type HangupCause =
  | 'call_rejected'
  | 'normal_clearing'
  | 'originator_cancel'
  | 'timeout'
  | 'user_busy'
  | 'not_found';

export type Leg = {
  readonly call_control_id: string;
  readonly call_leg_id: string;
  readonly call_session_id: string;
  /** The application. */
  readonly connection_id: string;
  readonly direction: 'incoming' | 'outgoing';
  readonly from: string;
  readonly to: string;
  /** The number of the person at the other end. */
  readonly person: string;
  client_state: string | undefined;
  /** Where its reports go: its own address, then those of the application. */
  readonly urls: readonly string[];
  state: 'ringing' | 'up' | 'ended';
  readonly start_time: string;
  answeredAtMs: number | undefined;
  end_time: string | undefined;
  /** The leg that it is bridged with. */
  peer: Leg | undefined;
  /** True: it is kept when its bridge ends. */
  parks: boolean;
  /** The conference that it is in. */
  conference: string | undefined;
  /** What it is made to hear. */
  readonly sounds: Sound[];
  /** When its person speaks. */
  readonly sayings: { readonly fromMs: number; readonly toMs: number }[];
  isTranscribed: boolean;
  /** Called once it has ended. */
  readonly onEnd: Set<() => void>;
};

/** What the account has of calls. */
export type Calls = {
  readonly world: World;
  readonly legs: Map<string, Leg>;
  /** The replies to commands by their names, so that a repeat is not carried out. */
  readonly commands: Map<string, { readonly atMs: number; readonly reply: unknown }>;
  /** By number. */
  readonly people: Map<string, Person>;
  /** Planned steps that a call waits for. */
  readonly plans: Set<Promise<void>>;
  readonly conferences: Map<string, Set<Leg>>;
};

/** How a person behaves. What is absent is as usual. */
export type Person = {
  readonly phoneNumber: string;
  /** False: the phone rings and nobody answers. */
  readonly answers?: boolean;
  readonly answersAfterMs?: number;
  /** A call is refused in this way at once. */
  readonly refuses?: 'user_busy' | 'call_rejected' | 'not_found';
  /** How long after the answer the person hangs up. Callers do by themselves. */
  readonly hangsUpAfterMs?: number;
  /** The key that is pressed when a speech asks for one. */
  readonly presses?: string;
};

export function createCalls(world: World): Calls {
  return {
    world,
    legs: new Map(),
    commands: new Map(),
    people: new Map(),
    plans: new Set(),
    conferences: new Map(),
  };
}

/** Does something after a pause, unless the account is emptied before. The calls are not quiet until then. */
export function plan({ world, plans }: Calls, ms: number, act: () => void): void {
  const planned = new Promise<void>((resolve) => {
    world.later(ms, () => {
      act();
      resolve();
    });
  });
  plans.add(planned);
  void planned.then(() => plans.delete(planned));
}

type NewLeg = Pick<Leg, 'connection_id' | 'direction' | 'from' | 'to' | 'urls'> & {
  readonly client_state?: string | undefined;
  readonly session?: string | undefined;
  readonly parks?: boolean;
};

export function addLeg(calls: Calls, { session, parks = false, client_state, ...given }: NewLeg): Leg {
  const leg: Leg = {
    ...given,
    client_state,
    call_control_id: `v3:${randomBytes(40).toString('base64url')}`,
    call_leg_id: randomUUID(),
    call_session_id: session ?? randomUUID(),
    person: given.direction === 'incoming' ? given.from : given.to,
    state: 'ringing',
    start_time: nowText(),
    answeredAtMs: undefined,
    end_time: undefined,
    peer: undefined,
    parks,
    conference: undefined,
    sounds: [],
    sayings: [],
    isTranscribed: false,
    onEnd: new Set(),
  };
  calls.legs.set(leg.call_control_id, leg);
  return leg;
}

/** Returns a leg, or refuses: it is unknown, or has ended, or is not answered yet. */
export function legFor(calls: Calls, ccid: string | undefined, wanted: 'any' | 'alive' | 'up'): Leg {
  const leg = calls.legs.get(ccid ?? '');
  if (leg === undefined) throw new Refusal('90015', 'This call_control_id is not valid.');
  if (wanted !== 'any' && leg.state === 'ended') throw new Refusal('90018', 'This call has already ended.');
  if (wanted === 'up' && leg.state === 'ringing') throw new Refusal('90034', 'This call is not answered yet.');
  return leg;
}

/** Reports something about a leg. */
export function report({ world }: Calls, leg: Leg, type: string, more: object = {}): void {
  const { call_control_id, call_leg_id, call_session_id, connection_id, client_state, from, to } = leg;
  const common = { call_control_id, call_leg_id, call_session_id, connection_id };
  const payload = { ...common, ...(client_state !== undefined && { client_state }), from, to, ...more };
  world.webhooks.send({ type, payload, key: call_leg_id, urls: leg.urls });
}

/** The person or the account answers. */
export function answerLeg(calls: Calls, leg: Leg): void {
  if (leg.state !== 'ringing') return;
  leg.state = 'up';
  leg.answeredAtMs = Date.now();
  report(calls, leg, 'call.answered', { start_time: leg.start_time, state: 'answered' });
}

/** Ends a leg. Its partner is hung up too, unless it parks. */
export function endLeg(calls: Calls, leg: Leg, cause: HangupCause, source: 'caller' | 'callee' | 'unknown'): void {
  if (leg.state === 'ended') return;
  leg.state = 'ended';
  leg.end_time = nowText();
  const { start_time } = leg;
  report(calls, leg, 'call.hangup', { hangup_cause: cause, hangup_source: source, start_time, state: 'hangup' });
  for (const sound of leg.sounds.splice(0)) sound.end('call_hangup');
  leaveConference(calls, leg);
  part(calls, leg);
  for (const end of leg.onEnd) end();
  leg.onEnd.clear();
}

/** Takes a leg out of its bridge. */
export function part(calls: Calls, leg: Leg): void {
  const { peer } = leg;
  leg.peer = undefined;
  if (peer === undefined) return;
  peer.peer = undefined;
  if (!peer.parks) endLeg(calls, peer, 'normal_clearing', 'unknown');
}

export function leaveConference({ conferences }: Calls, leg: Leg): void {
  if (leg.conference !== undefined) conferences.get(leg.conference)?.delete(leg);
  leg.conference = undefined;
}

/** Bridges two legs. Each leaves the bridge that it is in. */
export function bridgeLegs(calls: Calls, leg: Leg, other: Leg): void {
  for (const each of [leg, other]) {
    if (each.peer !== undefined && each.peer !== leg && each.peer !== other) part(calls, each);
    leaveConference(calls, each);
  }
  leg.peer = other;
  other.peer = leg;
  for (const each of [leg, other]) report(calls, each, 'call.bridged');
}
