/** The legs of calls as the emulated Telnyx has them, and what is reported about them. */
import { randomBytes, randomUUID } from 'node:crypto';
import { Refusal } from '../replies.ts';
import { nowText, type State } from '../state.ts';
import type { Webhooks } from '../webhooks.ts';
import type { CallDesk, CallHooks, CallLeg } from './hooks.ts';
import type { Person } from './person.ts';

export type HangupCause =
  | 'call_rejected'
  | 'normal_clearing'
  | 'originator_cancel'
  | 'timeout'
  | 'user_busy'
  | 'not_found';

export type Leg = {
  -readonly [Field in keyof CallLeg]: CallLeg[Field];
} & {
  peer: Leg | undefined;
  /** Where its reports go: its own address, or those of the application. */
  readonly urls: readonly string[];
  readonly start_time: string;
  answeredAtMs: number | undefined;
  endedAtMs: number | undefined;
  /** True: it is kept when its bridge ends. */
  parks: boolean;
  conference: string | undefined;
  /** What plays to it, in turn; the first one is heard. */
  readonly playing: Playing[];
};

/** A sound on its way to a leg. */
export type Playing = {
  readonly ref: string;
  readonly isOverlay: boolean;
  begin(): void;
  end(status: 'completed' | 'cancelled' | 'call_hangup' | 'failed'): void;
};

type Account = { readonly state: State; readonly webhooks: Pick<Webhooks, 'send'> };

export type Calls = {
  readonly account: Account;
  readonly desk: CallDesk;
  readonly legs: Map<string, Leg>;
  /** When a command was carried out, by its name, and what was answered. */
  readonly commands: Map<string, { readonly atMs: number; readonly answer: unknown }>;
  /** By number. */
  readonly people: Map<string, Person>;
  /** By id: who is in it. */
  readonly conferences: Map<string, Set<Leg>>;
  /** Resolves once nothing is planned. */
  quiet(): Promise<void>;
  clear(): void;
};

const REPEAT_MS = 60_000;

/** Creates the calls of an account; there are none. */
export function createCalls(account: Account): Calls {
  const timers = new Set<NodeJS.Timeout>();
  const underWay = new Set<object>();
  const waiting = new Set<() => void>();
  const settle = () => {
    if (underWay.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  const calls: Calls = {
    account,
    desk: {
      hooks: new Set(),
      find: (ccid, wanted) => legFor(calls, ccid, wanted),
      report: (leg, type, more) => report(calls, leg as Leg, type, more),
      once: ({ command_id: name }, carryOut) => {
        const before = calls.commands.get(name ?? '');
        if (before !== undefined && Date.now() - before.atMs < REPEAT_MS) return before.answer as never;
        const answer = carryOut();
        if (name !== undefined) calls.commands.set(name, { atMs: Date.now(), answer });
        return answer;
      },
      say: (leg, durationMs) => {
        if (leg.state === 'up') tell(calls, (hooks) => hooks.onSays?.(leg, durationMs));
      },
      plan: (ms, act) => {
        const end = calls.desk.begin();
        const timer = setTimeout(() => {
          timers.delete(timer);
          act();
          end();
        }, ms);
        timers.add(timer);
      },
      begin: () => {
        const work = {};
        underWay.add(work);
        return () => {
          underWay.delete(work);
          settle();
        };
      },
    },
    legs: new Map(),
    commands: new Map(),
    people: new Map(),
    conferences: new Map(),
    quiet: () =>
      new Promise((resolve) => {
        waiting.add(resolve);
        settle();
      }),
    clear: () => {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      underWay.clear();
      for (const leg of calls.legs.values()) {
        if (leg.state !== 'ended') tell(calls, (hooks) => hooks.onEnded?.(leg));
        leg.state = 'ended';
      }
      for (const part of [calls.legs, calls.commands, calls.people, calls.conferences]) part.clear();
      settle();
    },
  };
  return calls;
}

/** Calls each listener. */
export function tell({ desk }: Calls, call: (hooks: CallHooks) => void): void {
  for (const hooks of desk.hooks) call(hooks);
}

type NewLeg = Pick<Leg, 'connection_id' | 'direction' | 'from' | 'to' | 'urls' | 'client_state'> & {
  readonly session?: string | undefined;
  readonly parks?: boolean;
};

export function addLeg(calls: Calls, { session, parks = false, ...given }: NewLeg): Leg {
  const leg: Leg = {
    ...given,
    call_control_id: `v3:${randomBytes(40).toString('base64url')}`,
    call_leg_id: randomUUID(),
    call_session_id: session ?? randomUUID(),
    person: given.direction === 'incoming' ? given.from : given.to,
    state: 'ringing',
    start_time: nowText(),
    answeredAtMs: undefined,
    endedAtMs: undefined,
    peer: undefined,
    parks,
    conference: undefined,
    playing: [],
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
export function report({ account }: Calls, leg: Leg, type: string, more: object = {}): void {
  const { call_control_id, call_leg_id, call_session_id, connection_id, client_state } = leg;
  const common = { call_control_id, call_leg_id, call_session_id, connection_id };
  const payload = { ...common, ...(client_state !== undefined && { client_state }), ...more };
  account.webhooks.send({ type, payload, about: call_leg_id, urls: leg.urls });
}

const partiesOf = ({ from, to, start_time }: Leg) => ({ from, to, start_time });

/** Reports that a call begins. */
export function reportBegin(calls: Calls, leg: Leg): void {
  const state = leg.direction === 'incoming' ? 'parked' : 'bridging';
  report(calls, leg, 'call.initiated', { ...partiesOf(leg), direction: leg.direction, state });
}

/** The person or the account answers. */
export function answerLeg(calls: Calls, leg: Leg): void {
  if (leg.state !== 'ringing') return;
  leg.state = 'up';
  leg.answeredAtMs = Date.now();
  report(calls, leg, 'call.answered', { ...partiesOf(leg), state: 'answered' });
  tell(calls, (hooks) => hooks.onUp?.(leg));
}

/** Ends a leg. Its partner is hung up too, unless it parks. */
export function endLeg(calls: Calls, leg: Leg, cause: HangupCause, source: 'caller' | 'callee' | 'unknown'): void {
  if (leg.state === 'ended') return;
  leg.state = 'ended';
  leg.endedAtMs = Date.now();
  for (const sound of leg.playing.splice(0)) sound.end('call_hangup');
  const more = { hangup_cause: cause, hangup_source: source, state: 'hangup' };
  report(calls, leg, 'call.hangup', { ...partiesOf(leg), ...more });
  leaveConference(calls, leg);
  part(calls, leg);
  tell(calls, (hooks) => hooks.onEnded?.(leg));
}

/** Takes a leg out of its bridge. */
export function part(calls: Calls, leg: Leg): void {
  const { peer } = leg;
  if (peer === undefined) return;
  leg.peer = undefined;
  peer.peer = undefined;
  tell(calls, (hooks) => hooks.onParted?.(leg, peer));
  if (!peer.parks) endLeg(calls, peer, 'normal_clearing', 'unknown');
}

export function leaveConference({ conferences }: Calls, leg: Leg): void {
  const members = conferences.get(leg.conference ?? '');
  members?.delete(leg);
  if (members?.size === 0) conferences.delete(leg.conference ?? '');
  leg.conference = undefined;
}

/** Bridges two legs. Each leaves the bridge that it is in. */
export function bridgeLegs(calls: Calls, leg: Leg, other: Leg): void {
  if (leg.peer === other) return;
  for (const each of [leg, other]) {
    part(calls, each);
    leaveConference(calls, each);
  }
  leg.peer = other;
  other.peer = leg;
  for (const each of [leg, other]) report(calls, each, 'call.bridged', { from: each.from, to: each.to });
  tell(calls, (hooks) => hooks.onBridged?.(leg, other));
}
