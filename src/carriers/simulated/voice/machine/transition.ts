/** One transition of a simulated call: the call as it becomes, and the effects as they gather. */
import type { VoiceEvent } from '../../../ports/voice.ts';
import {
  type CallEffect,
  type CallRefusal,
  type CallSound,
  endOf,
  findLeg,
  isWebClient,
  type Leg,
  type NewLeg,
  newLeg,
  type Plan,
  type Recording,
  type SimulatedCall,
  type Sound,
} from '../call.ts';

export type Transition = {
  call: SimulatedCall;
  refusal: CallRefusal | undefined;
  readonly effects: CallEffect[];
  /** The ledger's present moment. */
  readonly now: Date;
};

export function change(transition: Transition, patch: Partial<SimulatedCall>): void {
  transition.call = { ...transition.call, ...patch };
}

/** Refuses the input. The step then has no effect. */
export function refuse(transition: Transition, reason: CallRefusal): void {
  transition.refusal = reason;
}

export function report(transition: Transition, ...events: readonly VoiceEvent[]): void {
  for (const event of events) transition.effects.push({ do: 'report', event });
}

export function plan({ effects }: Transition, planned: Omit<Plan, 'do'>): void {
  effects.push({ ...planned, do: 'plan' });
}

export function cancel({ effects }: Transition, ...names: readonly string[]): void {
  for (const name of names) effects.push({ do: 'cancel', name });
}

export function planHangUp(transition: Transition, legRef: string, inMs: number): void {
  plan(transition, { name: `hang_up:${legRef}`, inMs, action: { do: 'hang_up', legRef } });
}

export const reportName = (ref: string) => `report_sound:${ref}`;

export function planReport(transition: Transition, ref: string, inMs: number): void {
  plan(transition, { name: reportName(ref), inMs, action: { do: 'report_sound', ref } });
}

export function addLeg(transition: Transition, leg: NewLeg & Partial<Leg>): Leg {
  const added = { ...newLeg(leg), ...leg };
  change(transition, { legs: [...transition.call.legs, added] });
  return added;
}

/** Changes a leg of the call, and wakes the web clients on the call. */
export function changeLeg(transition: Transition, legRef: string, patch: Partial<Leg>): Leg {
  const changed = { ...(findLeg(transition.call, legRef) as Leg), ...patch };
  change(transition, { legs: transition.call.legs.map((leg) => (leg.leg_ref === legRef ? changed : leg)) });
  const { call, effects } = transition;
  for (const { address } of call.legs) {
    const isWoken = effects.some((effect) => effect.do === 'wake_web_client' && effect.webClientId === address);
    if (isWebClient(address) && !isWoken) effects.push({ do: 'wake_web_client', webClientId: address });
  }
  return changed;
}

/** Keeps the party from hanging up by itself before a moment. */
export function stayUntil(transition: Transition, legRef: string, until: Date): void {
  const leg = findLeg(transition.call, legRef);
  if (leg !== undefined && (leg.busy_until === null || leg.busy_until < until)) {
    changeLeg(transition, legRef, { busy_until: until });
  }
}

type NewSound = Pick<Sound, 'ref' | 'kind' | 'content' | 'duration_ms'> & Partial<CallSound>;

/** Adds a sound that starts now, unless it says otherwise; a second one with the same ref is the same sound. */
export function addSound(transition: Transition, sound: NewSound): CallSound {
  return transition.call.sounds.find(({ ref }) => ref === sound.ref) ?? putSound(transition, sound);
}

/** Adds a sound, in place of the one with its ref. */
export function putSound(transition: Transition, sound: NewSound): CallSound {
  const { call, now } = transition;
  const made = { said_by: null, played_to: [], starts_at: now, reported: false, ...sound };
  const rounded = { ...made, duration_ms: Math.round(made.duration_ms) };
  change(transition, { sounds: [...call.sounds.filter(({ ref }) => ref !== sound.ref), rounded] });
  return rounded;
}

/** Applies `patchOf` to all sounds; undefined leaves one as it is. Returns the changed ones. */
function changeSounds(
  transition: Transition,
  patchOf: (sound: CallSound) => Partial<CallSound> | undefined,
): CallSound[] {
  const changed: CallSound[] = [];
  const sounds = transition.call.sounds.map((sound) => {
    const patch = patchOf(sound);
    if (patch === undefined) return sound;
    const patched = { ...sound, ...patch };
    changed.push(patched);
    return patched;
  });
  change(transition, { sounds });
  return changed;
}

/** Lets a sound start at a moment; its end is still to be reported. Returns its end in milliseconds. */
export function startSound(transition: Transition, soundRef: string, startsAt: Date): number {
  const isIt = ({ ref }: Sound) => ref === soundRef;
  const [started] = changeSounds(transition, (sound) =>
    isIt(sound) ? { starts_at: startsAt, reported: false } : undefined,
  );
  return endOf(started as CallSound);
}

const isOf = (sound: Sound, ref: string) => sound.ref === ref || sound.said_by === ref;

/** Ends the sound with this ref, or all sounds of the leg with this ref, now, unless they are over. */
export function cutSounds(transition: Transition, ref: string): void {
  changeSounds(transition, (sound) => {
    const lastsMs = Math.max(0, transition.now.getTime() - sound.starts_at.getTime());
    return isOf(sound, ref) && sound.duration_ms > lastsMs ? { duration_ms: lastsMs } : undefined;
  });
}

/** Marks a speech, or all that a leg has said, as reported; returns what was not reported before. */
export function takeUnreported(transition: Transition, ref: string): CallSound[] {
  const isOpen = (sound: CallSound) => !sound.reported && sound.kind === 'speech' && isOf(sound, ref);
  return changeSounds(transition, (sound) => (isOpen(sound) ? { reported: true } : undefined));
}

/** Adds a recording; a second one with the same ref is the same recording. */
export function addRecording(transition: Transition, recording: Omit<Recording, 'ended_at'>): void {
  const { recordings } = transition.call;
  if (recordings.some(({ recording_ref }) => recording_ref === recording.recording_ref)) return;
  change(transition, { recordings: [...recordings, { ...recording, ended_at: null }] });
}

/** Ends running recordings at a moment (now by default). Returns the events that are to be reported. */
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
