/**
 * The books of one simulated call while it is held: what happens to it is entered here, and written in one statement
 * when it is over (`saveCall`). Entries are made under the lock of the call, so what was read stays true.
 */
import type { Act } from './acts.ts';
import type { SimulatedLeg } from './queries.ts';
import type { ScriptStep } from './script.ts';

/** Something audible on a call. */
export type Sound = {
  ref: string;
  said_by: string | null;
  played_to: string[];
  kind: 'speech' | 'keys' | 'beep';
  /** The text, or the keys. */
  content: string;
  starts_at: Date;
  duration_ms: number;
};

export type BookedSound = Sound & {
  /** Its end (what was said, or that the speech is over) has been reported. */
  reported: boolean;
};

export type BookedRecording = {
  recording_ref: string;
  leg_refs: string[];
  starts_at: Date;
  ended_at: Date | null;
};

export type PlannedAct = {
  /** Makes it the only one of its name, and lets it be taken back. */
  readonly name: string;
  readonly inMs: number;
  readonly act: Act;
};

export type SimulatedCall = {
  readonly call_ref: string;
  readonly script: ScriptStep[] | null;
  readonly message_text: string | null;
  readonly message_ms: number | null;
  bridged_at: Date | null;
  /** The media stream that has the call's audio. */
  stream_ref: string | null;
  /** The ledger's present moment. */
  readonly now: Date;
  /** In the order in which they were made. */
  readonly legs: SimulatedLeg[];
  readonly sounds: BookedSound[];
  readonly recordings: BookedRecording[];
  /** True if the command that the call is held for was carried out before. */
  readonly isCommandNoted: boolean;
  readonly unsaved: Unsaved;
};

/** What is still to be written. */
export type Unsaved = {
  readonly legs: Set<string>;
  readonly sounds: Set<string>;
  readonly recordings: Set<string>;
  /** By name; null takes one back. */
  readonly acts: Map<string, PlannedAct | null>;
  commandRef: string | null;
};

export function noneUnsaved(): Unsaved {
  return { legs: new Set(), sounds: new Set(), recordings: new Set(), acts: new Map(), commandRef: null };
}

export function enterLeg({ legs, unsaved }: SimulatedCall, leg: SimulatedLeg): void {
  const index = legs.findIndex((one) => one.leg_ref === leg.leg_ref);
  if (index === -1) legs.push(leg);
  else legs[index] = leg;
  unsaved.legs.add(leg.leg_ref);
}

/** Enters a sound; a repeat of its ref is the same sound. */
export function enterSound({ sounds, unsaved }: SimulatedCall, sound: Sound): BookedSound {
  const known = sounds.find(({ ref }) => ref === sound.ref);
  if (known !== undefined) return known;
  const entered = { ...sound, duration_ms: Math.round(sound.duration_ms), reported: false };
  sounds.push(entered);
  unsaved.sounds.add(sound.ref);
  return entered;
}

/** Enters a sound in place of the one that has its ref. */
export function replaceSound(call: SimulatedCall, sound: Sound): void {
  const index = call.sounds.findIndex(({ ref }) => ref === sound.ref);
  if (index !== -1) call.sounds.splice(index, 1);
  enterSound(call, sound);
}

/** When a sound is over, in milliseconds. */
export function endOf({ starts_at, duration_ms }: Sound): number {
  return starts_at.getTime() + duration_ms;
}

/** Lets a sound begin at this moment, whenever it was entered; its end is still to be reported. */
export function startSound({ unsaved }: SimulatedCall, sound: BookedSound, at: Date): void {
  sound.starts_at = at;
  sound.reported = false;
  unsaved.sounds.add(sound.ref);
}

/** Ends what has this ref, or was said by this leg, now, where it would have gone on. */
export function cutSounds({ sounds, unsaved, now }: SimulatedCall, of: string): void {
  for (const sound of sounds) {
    const lastsMs = Math.max(0, now.getTime() - sound.starts_at.getTime());
    if ((sound.ref !== of && sound.said_by !== of) || sound.duration_ms <= lastsMs) continue;
    sound.duration_ms = lastsMs;
    unsaved.sounds.add(sound.ref);
  }
}

/** Takes speeches whose end is still to be reported: that of this ref, or all that this leg has said. */
export function takeUnreported({ sounds, unsaved }: SimulatedCall, of: string): Sound[] {
  const taken = sounds.filter(
    ({ ref, said_by, kind, reported }) => !reported && kind === 'speech' && (ref === of || said_by === of),
  );
  for (const sound of taken) {
    sound.reported = true;
    unsaved.sounds.add(sound.ref);
  }
  return taken;
}

export function enterRecording(
  { recordings, unsaved }: SimulatedCall,
  recording: Omit<BookedRecording, 'ended_at'>,
): void {
  if (recordings.some(({ recording_ref }) => recording_ref === recording.recording_ref)) return;
  recordings.push({ ...recording, ended_at: null });
  unsaved.recordings.add(recording.recording_ref);
}

export type EndedRecording = { readonly recording_ref: string; readonly duration_ms: number };

/** Ends a recording, now or when it should have ended; with null for its ref those of which no leg is left. */
export function endRecordings(call: SimulatedCall, recordingRef: string | null, at: Date = call.now): EndedRecording[] {
  const isLeft = (legRef: string) => call.legs.some((leg) => leg.leg_ref === legRef && leg.state !== 'ended');
  const over = call.recordings.filter(
    ({ recording_ref, leg_refs, ended_at }) =>
      ended_at === null && (recordingRef === null ? !leg_refs.some(isLeft) : recording_ref === recordingRef),
  );
  return over.map((recording) => {
    const { recording_ref, starts_at } = recording;
    const duration_ms = Math.max(0, at.getTime() - starts_at.getTime());
    recording.ended_at = new Date(starts_at.getTime() + duration_ms);
    call.unsaved.recordings.add(recording_ref);
    return { recording_ref, duration_ms };
  });
}

/** Plans acts; one whose name is planned already takes its place. */
export function planOnCall({ unsaved }: SimulatedCall, planned: readonly PlannedAct[]): void {
  for (const act of planned) unsaved.acts.set(act.name, act);
}

export function cancelOnCall({ unsaved }: SimulatedCall, names: readonly string[]): void {
  for (const name of names) unsaved.acts.set(name, null);
}
