/** Recordings of legs: started and stopped by commands, by limits, and by the end of the leg. */
import { randomUUID } from 'node:crypto';
import { FRAME_MS } from '../../../src/audio/frames.ts';
import type { Calls, Leg } from '../calls/hooks.ts';
import { Refusal } from '../replies.ts';
import { nowText } from '../state.ts';
import type { World } from '../world.ts';
import type { Recording } from './audio-state.ts';
import { addSound, frameNow, type Line, timeOfFrame } from './lines.ts';
import type { Pacer } from './pacer.ts';
import {
  isQuiet,
  lengthOf,
  linkTo,
  type Taken,
  type Track,
  takeFrames,
  trimSilence,
  wavOf,
} from './recording-files.ts';
import { beepFrames } from './voices.ts';

export type RecordStart = {
  readonly channels: 'single' | 'dual';
  readonly format: 'wav' | 'mp3';
  readonly max_length?: number;
  readonly play_beep?: boolean;
  readonly recording_track?: Track;
  readonly timeout_secs?: number;
  readonly transcription?: boolean;
  readonly trim?: 'trim-silence';
};

export type Recordings = {
  start(leg: Leg, line: Line, asked: RecordStart): void;
  /** Ends one recording of a leg, or all of them. */
  stop(leg: Leg, id?: string): void;
  /** Leaves out the audio until `resume`. Telnyx's pages do not say what a pause contains. */
  pause(leg: Leg, id?: string): void;
  resume(leg: Leg, id?: string): void;
  /** Keeps words for the transcripts of the recordings that contain them. */
  hear(leg: Leg, words: string): void;
  /** Forgets the recordings that run. */
  reset(): void;
};

type Running = {
  readonly id: string;
  readonly leg: Leg;
  readonly line: Line;
  readonly asked: RecordStart;
  readonly track: Track;
  readonly from: number;
  readonly words: string[];
  readonly pauses: { readonly from: number; until: number }[];
  /** Ends the watch over the limits. */
  unwatch(): void;
};

type Parts = { readonly world: World; readonly calls: Calls; readonly pacer: Pacer };

const FRAMES_PER_SECOND = 50;
const RECORDINGS_KEPT = 500;

export function createRecordings(parts: Parts): Recordings {
  const running = new Map<string, Running>();
  const end = (recording: Running) => {
    if (!running.delete(recording.id)) return;
    recording.unwatch();
    finish(parts, recording);
  };
  const listOf = (leg: Leg, id?: string) =>
    [...running.values()].filter((recording) => recording.leg === leg && (id === undefined || id === recording.id));
  return {
    start: (leg, line, asked) => {
      const beep = asked.play_beep ? addSound(line.played, beepFrames()) : undefined;
      const recording: Running = {
        id: randomUUID(),
        leg,
        line,
        asked,
        track: asked.recording_track ?? 'both',
        from: beep?.until ?? frameNow() + 1,
        words: [],
        pauses: [],
        unwatch: () => undefined,
      };
      recording.unwatch = watchLimits(parts.pacer, recording, () => end(recording));
      running.set(recording.id, recording);
    },
    stop: (leg, id) => {
      for (const recording of listOf(leg, id)) end(recording);
    },
    pause: (leg, id) => {
      for (const { pauses } of listOf(leg, id)) {
        if (!isPaused(pauses)) pauses.push({ from: frameNow() + 1, until: Infinity });
      }
    },
    resume: (leg, id) => {
      for (const { pauses } of listOf(leg, id)) {
        const last = pauses.at(-1);
        if (last !== undefined && isPaused(pauses)) last.until = frameNow() + 1;
      }
    },
    hear: (leg, words) => {
      for (const { pauses, ...recording } of listOf(leg)) if (!isPaused(pauses)) recording.words.push(words);
    },
    reset: () => {
      for (const { unwatch } of running.values()) unwatch();
      running.clear();
    },
  };
}

const isPaused = (pauses: Running['pauses']) => pauses.at(-1)?.until === Infinity;

/** Calls `end` at the maximum length, and once a party that has spoken is silent for too long. */
function watchLimits(pacer: Pacer, { line, asked, track, from }: Running, end: () => void): () => void {
  const { max_length = 0, timeout_secs = 0 } = asked;
  if (max_length === 0 && timeout_secs === 0) return () => undefined;
  let lastLoud: number | undefined;
  return pacer.take((frame) => {
    if (frame < from) return;
    if (timeout_secs > 0) {
      const { inbound, outbound } = takeFrames(line, { track, from: frame, until: frame + 1 });
      if (![...inbound, ...outbound].every(isQuiet)) lastLoud = frame;
      if (lastLoud !== undefined && frame - lastLoud >= timeout_secs * FRAMES_PER_SECOND) return end();
    }
    if (max_length > 0 && frame - from + 1 >= max_length * FRAMES_PER_SECOND) end();
  });
}

/** Stores and reports a recording that has ended. */
function finish({ world, calls }: Parts, { id, leg, line, asked, track, from, words, pauses }: Running): void {
  const { settings, state } = world;
  const until = Math.min(frameNow() + 1, line.until, from + (asked.max_length || Infinity) * FRAMES_PER_SECOND);
  const whole = takeFrames(line, { track, from, until });
  const heard = withoutPauses(whole, { from, pauses });
  const { taken, cutAtStart } = asked.trim === undefined ? { taken: heard, cutAtStart: 0 } : trimSilence(heard);
  const start = from + cutAtStart;
  const pausedMs = (lengthOf(whole) - lengthOf(heard)) * FRAME_MS;
  const recording = settings.recordingsFail ? undefined : recordingOf({ id, leg, asked, start, pausedMs, taken });
  world.later(settings.stepMs, () => {
    if (recording === undefined) return calls.report(leg, 'call.recording.error', { reason: 'Internal server error' });
    state.audio.recordings.set(id, recording);
    const [oldest = ''] = state.audio.recordings.keys();
    if (state.audio.recordings.size > RECORDINGS_KEPT) state.audio.recordings.delete(oldest);
    const { channels, recording_started_at, recording_ended_at, file } = recording;
    const recording_urls = { wav: linkTo(world, file) };
    const times = { recording_started_at, recording_ended_at };
    const more = { recording_id: id, channels, ...times, recording_urls, public_recording_urls: {} };
    // Telnyx's type of this event has no call_control_id. It lacks recording_id too, which Telnyx's pages show.
    calls.report(leg, 'call.recording.saved', { ...more, call_control_id: undefined });
    if (!asked.transcription) return;
    const transcript = { recording_id: id, recording_transcription_id: randomUUID(), status: 'completed' };
    const text = { calling_party_type: 'pstn', transcription_text: words.join(' ') };
    calls.report(leg, 'call.recording.transcription.saved', { ...transcript, ...text });
  });
}

function withoutPauses(whole: Taken, { from, pauses }: Pick<Running, 'from' | 'pauses'>): Taken {
  const isHeard = (_frame: unknown, at: number) =>
    pauses.every((one) => from + at < one.from || from + at >= one.until);
  return { inbound: whole.inbound.filter(isHeard), outbound: whole.outbound.filter(isHeard) };
}

type Ended = Pick<Running, 'id' | 'leg' | 'asked'> & {
  readonly start: number;
  readonly pausedMs: number;
  readonly taken: Taken;
};

/** Returns the stored audio; undefined if there is none. */
function recordingOf({ id, leg, asked, start, pausedMs, taken }: Ended): Recording | undefined {
  const frames = lengthOf(taken);
  if (frames === 0) return undefined;
  const { call_control_id, call_leg_id, call_session_id, connection_id, from, to } = leg;
  const startedAtMs = timeOfFrame(start);
  const duration_millis = frames * FRAME_MS;
  return {
    id,
    call_control_id,
    call_leg_id,
    call_session_id,
    connection_id,
    channels: asked.channels,
    created_at: nowText(),
    duration_millis,
    from,
    to,
    recording_started_at: new Date(startedAtMs).toISOString(),
    recording_ended_at: new Date(startedAtMs + duration_millis + pausedMs).toISOString(),
    file: wavOf(taken, asked.channels === 'dual'),
  };
}

/** Refuses a recording that Telnyx refuses, or that the emulator cannot make. */
export function checkRecordStart({ format, timeout_secs = 0 }: RecordStart, isTranscribed: boolean): void {
  if (format === 'mp3') {
    throw new Refusal('10015', 'the emulator has no MP3 encoder: record as wav', { pointer: '/format' });
  }
  if (timeout_secs > 0 && isTranscribed) {
    throw new Refusal('90053', 'timeout_secs cannot be used while the call is transcribed', {
      pointer: '/timeout_secs',
    });
  }
}
