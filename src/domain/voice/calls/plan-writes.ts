/** What steps of a call come to in the database: pure, so that one statement can write it all. */
import type { NewEvent } from '../../events/index.ts';
import type { Call, CallEffect, TimerName } from './call.ts';
import { KEEP_AUDIO, type KeepAudio, SUMMARIZE_CALL, type SummarizeCall } from './effects.ts';
import type { HeldCall } from './queries.ts';
import { durationSeconds, nameOfAnswerer, startedMinutes } from './rules.ts';

export type NewTimer = { readonly name: TimerName; readonly generation: number; readonly inMs: number };
export type NewAudioJob = { readonly id: string; readonly kind: string; readonly payload: KeepAudio | SummarizeCall };

/** An event to emit once the call is written: with the call itself as its data, or with its own. */
export type PlannedEvent = { readonly type: NewEvent['type']; readonly data: NewEvent['data'] | 'call' };

export type Writes = {
  readonly at: Date;
  readonly state: Call;
  readonly log: readonly { readonly type: string; readonly detail: object }[];
  readonly commands: readonly object[];
  readonly setTimers: readonly NewTimer[];
  readonly clearedTimers: readonly TimerName[];
  readonly jobs: readonly NewAudioJob[];
  readonly usage: readonly { readonly kind: string; readonly minutes: number }[];
  readonly events: readonly PlannedEvent[];
};

/** The columns that callers see of a state. */
export function columnsOf(state: Call) {
  const { status, outcome, answeredBy, endedAtMs } = state;
  return {
    status,
    outcome,
    answeredBy: answeredBy === null ? null : nameOfAnswerer(answeredBy),
    durationSeconds: durationSeconds(state),
    endedAt: endedAtMs === null ? null : new Date(endedAtMs),
  };
}

/** Sorts effects into what is written where. Of several settings of one timer the last counts. */
export function planWrites(
  { id }: Pick<HeldCall, 'id'>,
  { state, effects, at }: { state: Call; effects: readonly CallEffect[]; at: Date },
): Writes {
  const timers = new Map<TimerName, NewTimer | null>();
  for (const effect of effects) {
    if (effect.do === 'set_timer') timers.set(effect.name, effect);
    if (effect.do === 'clear_timer') timers.set(effect.name, null);
  }
  const take = <Do extends CallEffect['do']>(name: Do) =>
    effects.filter((effect): effect is Extract<CallEffect, { do: Do }> => effect.do === name);
  return {
    at,
    state,
    log: take('log'),
    commands: take('command').map(({ command }) => command),
    setTimers: [...timers.values()].filter((timer) => timer !== null),
    clearedTimers: [...timers].flatMap(([name, timer]) => (timer === null ? [name] : [])),
    jobs: effects.flatMap((effect) => toJob(id, effect) ?? []),
    usage: take('meter').map(({ kind, durationMs }) => ({ kind, minutes: startedMinutes(durationMs) })),
    events: effects.flatMap((effect) => toEvent(id, effect, at) ?? []),
  };
}

function toJob(callId: string, effect: CallEffect): NewAudioJob | undefined {
  switch (effect.do) {
    case 'keep_recording': {
      const { recordingId, durationMs, announced } = effect;
      const payload: KeepAudio = { purpose: 'call', callId, recordingId, durationMs, announced };
      return { id: `${KEEP_AUDIO}:${recordingId}`, kind: KEEP_AUDIO, payload };
    }
    case 'keep_voicemail': {
      const { recordingId, durationMs, transcribe } = effect;
      const payload: KeepAudio = { purpose: 'voicemail', callId, recordingId, durationMs, transcribe };
      return { id: `${KEEP_AUDIO}:${recordingId}`, kind: KEEP_AUDIO, payload };
    }
    case 'summarize':
      return { id: `${SUMMARIZE_CALL}:${callId}`, kind: SUMMARIZE_CALL, payload: { callId } };
    default:
      return undefined;
  }
}

function toEvent(callId: string, effect: CallEffect, at: Date): PlannedEvent | undefined {
  switch (effect.do) {
    case 'emit':
      return { type: effect.event, data: 'call' };
    case 'emit_key': {
      const { digit, pressedBy: pressed_by } = effect;
      return { type: 'call.dtmf', data: { object: 'call_dtmf', call_id: callId, digit, pressed_by, occurred_at: at } };
    }
    case 'emit_gather': {
      const { digits, reason } = effect;
      return { type: 'call.gather', data: { object: 'call_gather', call_id: callId, digits, reason } };
    }
    default:
      return undefined;
  }
}
