/** One transition of a simulated call: the changed call, and the effects that accumulate. */
import type { VoiceEvent } from '../../../ports/voice.ts';
import {
  type CallEffect,
  type CallSound,
  findLeg,
  type Leg,
  type NewLeg,
  newLeg,
  type Recording,
  type ScheduledAction,
  type SimulatedCall,
  type Sound,
} from '../call.ts';

export type Transition = {
  call: SimulatedCall;
  readonly effects: CallEffect[];
  /** The ledger's present moment. */
  readonly now: Date;
};

/** How long a party stays after the end of a speech. */
export const LISTEN_GRACE_MS = 2_000;

export function change(transition: Transition, patch: Partial<SimulatedCall>): void {
  transition.call = { ...transition.call, ...patch };
}

export function report(transition: Transition, ...events: readonly VoiceEvent[]): void {
  for (const event of events) transition.effects.push({ do: 'report', event });
}

/** Returns the name of an action. Each kind has one name for a leg, a sound, or an attempt at a step. */
export function nameOf(action: ScheduledAction): string {
  if (action.do === 'follow_script') return `script:${action.step}:${action.attempt}`;
  if (action.do === 'report_answer') return `${action.do}:${action.finding.found}:${action.legRef}`;
  return `${action.do}:${action.do === 'report_sound' ? action.ref : action.legRef}`;
}

export function planOf(action: ScheduledAction, inMs: number, name = nameOf(action)): CallEffect {
  return { do: 'plan', name, inMs, action };
}

/** Plans an action. It replaces an action of the same name. */
export function plan({ effects }: Transition, action: ScheduledAction, inMs: number, name?: string): void {
  effects.push(planOf(action, inMs, name));
}

export function cancel({ effects }: Transition, ...names: readonly string[]): void {
  for (const name of names) effects.push({ do: 'cancel', name });
}

export function addLeg(transition: Transition, leg: NewLeg): Leg {
  const added = newLeg(leg);
  change(transition, { legs: [...transition.call.legs, added] });
  return added;
}

export function changeLeg(transition: Transition, legRef: string, patch: Partial<Leg>): void {
  const legs = transition.call.legs.map((leg) => (leg.leg_ref === legRef ? { ...leg, ...patch } : leg));
  change(transition, { legs });
}

/** True while a gather, or a speech other than the given one, keeps the party on the call. */
export function isKept({ now }: Transition, { busy_until }: Leg): boolean {
  return busy_until !== null && busy_until.getTime() - now.getTime() > LISTEN_GRACE_MS;
}

/** Keeps the party from hanging up automatically until a moment. */
export function stayUntil(transition: Transition, legRef: string, untilMs: number): void {
  const leg = findLeg(transition.call, legRef);
  if (leg !== undefined && (leg.busy_until === null || leg.busy_until.getTime() < untilMs)) {
    changeLeg(transition, legRef, { busy_until: new Date(untilMs) });
  }
}

type NewSound = Pick<Sound, 'ref' | 'kind' | 'content' | 'duration_ms'> & Partial<CallSound>;

/** Adds a sound, by default with its start now. If the call has a sound with this ref, nothing changes. */
export function addSound(transition: Transition, sound: NewSound): CallSound {
  return transition.call.sounds.find(({ ref }) => ref === sound.ref) ?? putSound(transition, sound);
}

/** Adds a sound. It replaces a sound with the same ref. */
export function putSound(transition: Transition, sound: NewSound): CallSound {
  const { call, now } = transition;
  const duration_ms = Math.round(sound.duration_ms);
  const made = { said_by: null, played_to: [], starts_at: now, reported: false, ...sound, duration_ms };
  change(transition, { sounds: [...call.sounds.filter(({ ref }) => ref !== sound.ref), made] });
  return made;
}

const isOf = (sound: Sound, ref: string) => sound.ref === ref || sound.said_by === ref;

/** Ends the sound with this ref, or all sounds of the leg with this ref. Sounds that are over do not change. */
export function cutSounds(transition: Transition, ref: string): void {
  const sounds = transition.call.sounds.map((sound) => {
    const lastsMs = Math.max(0, transition.now.getTime() - sound.starts_at.getTime());
    return isOf(sound, ref) && sound.duration_ms > lastsMs ? { ...sound, duration_ms: lastsMs } : sound;
  });
  change(transition, { sounds });
}

/** True for a sound whose end is reported. */
const hasEnd = ({ kind }: Sound) => kind === 'speech' || kind === 'audio';

/** Marks one speech or all speeches of a leg as reported. Returns the speeches that were not reported before. */
export function takeUnreported(transition: Transition, ref: string): CallSound[] {
  const { sounds } = transition.call;
  const open = sounds.filter((sound) => !sound.reported && hasEnd(sound) && isOf(sound, ref));
  change(transition, { sounds: sounds.map((sound) => (open.includes(sound) ? { ...sound, reported: true } : sound)) });
  return open;
}

/** Adds a recording. If the call has a recording with this ref, nothing changes. */
export function addRecording(transition: Transition, recording: Omit<Recording, 'ended_at' | 'pauses'>): void {
  const { recordings } = transition.call;
  if (recordings.some(({ recording_ref }) => recording_ref === recording.recording_ref)) return;
  change(transition, { recordings: [...recordings, { ...recording, ended_at: null, pauses: [] }] });
}

/** Begins or ends a pause of a running recording. A repeat changes nothing. */
export function setRecordingPaused(transition: Transition, recordingRef: string, paused: boolean): undefined {
  const { call, now } = transition;
  const recordings = call.recordings.map((recording) => {
    const { recording_ref, ended_at, pauses } = recording;
    const isPaused = pauses.at(-1)?.until === null;
    if (recording_ref !== recordingRef || ended_at !== null || isPaused === paused) return recording;
    if (paused) return { ...recording, pauses: [...pauses, { from: now, until: null }] };
    return { ...recording, pauses: pauses.map((pause) => ({ ...pause, until: pause.until ?? now })) };
  });
  change(transition, { recordings });
}

/** Ends running recordings at a moment (now by default). Returns the events to report. */
export function endRecordings(
  transition: Transition,
  isOver: (recording: Recording) => boolean,
  at: Date = transition.now,
): VoiceEvent[] {
  const { call } = transition;
  const events: VoiceEvent[] = [];
  const recordings = call.recordings.map((recording) => {
    const { recording_ref: recordingRef, starts_at, ended_at } = recording;
    if (ended_at !== null || !isOver(recording)) return recording;
    const durationMs = Math.max(0, at.getTime() - starts_at.getTime());
    events.push({ type: 'recording.ended', callRef: call.call_ref, recordingRef, durationMs });
    return { ...recording, ended_at: new Date(starts_at.getTime() + durationMs) };
  });
  change(transition, { recordings });
  return events;
}
