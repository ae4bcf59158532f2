/** The audio of calls: follows the legs, and carries out the commands about recordings, streams and transcriptions. */
import { FRAME_MS } from '../../../src/audio/frames.ts';
import { plan } from '../calls/clock.ts';
import type { CallHooks, Leg, Speech } from '../calls/hooks.ts';
import { hearBeep } from '../calls/people.ts';
import { personAt } from '../calls/person.ts';
import { Refusal } from '../replies.ts';
import type { Route } from '../routes.ts';
import type { World } from '../world.ts';
import { addSound, closeLine, frameNow, type Line, link, openLine, type Sound, stopSound, unlink } from './lines.ts';
import { createPacer } from './pacer.ts';
import { recordingRoutes } from './recording-routes.ts';
import { checkRecordStart, createRecordings, type Recordings, type RecordStart } from './recordings.ts';
import type { StreamStart } from './stream-frames.ts';
import { checkStreamStart, createStreams, type Streams } from './streams.ts';
import { createTranscripts, type TranscriptionStart, type Transcripts, wordsFor } from './transcripts.ts';
import { answerFrames, BEEP_MS, digitFrames, playedFrames, toneFrames, voiceHz } from './voices.ts';

type Parts = {
  readonly world: World;
  readonly lineOf: (leg: Leg) => Line;
  readonly recordings: Recordings;
  readonly streams: Streams;
  readonly transcripts: Transcripts;
};

const LINES_KEPT = 1_000;

/** Follows the calls from now on. Returns the routes of their audio. */
export function callAudioRoutes(world: World): Route[] {
  const { calls, state } = world;
  const pacer = createPacer();
  const lineOf = (leg: Leg) => lineIn(state.audio.lines, leg);
  const recordings = createRecordings({ world, calls, pacer });
  const streams = createStreams({ world, calls, pacer, lineOf });
  const transcripts = createTranscripts(calls);
  const parts: Parts = { world, lineOf, recordings, streams, transcripts };
  for (const { reset } of [recordings, streams, transcripts]) state.audio.enders.add(reset);
  calls.hooks.add(hooksOf(parts));
  return [...recordingRoutes(world), ...commandRoutes(parts)];
}

/** Returns the line of a leg; opens it if there is none yet. */
function lineIn(lines: Map<string, Line>, { call_control_id }: Leg): Line {
  const line = lines.get(call_control_id) ?? openLine();
  lines.set(call_control_id, line);
  const [oldest = ''] = lines.keys();
  if (lines.size > LINES_KEPT) lines.delete(oldest);
  return line;
}

function hooksOf({ world, lineOf, recordings, streams, transcripts }: Parts): CallHooks {
  const speeches = new Map<string, { readonly speech: Speech; readonly sounds: readonly Sound[] }>();
  return {
    onLegUp: (leg) => {
      const { said } = lineOf(leg);
      const { is, sounds } = personAt(world.state.calls.people, leg.person, leg.direction === 'incoming');
      if (sounds) addSound(said, answerFrames(is));
    },
    onLegEnded: (leg) => {
      const line = world.state.audio.lines.get(leg.call_control_id);
      if (line === undefined) return;
      closeLine(line);
      recordings.stop(leg);
      streams.stop(leg);
      transcripts.stop(leg);
    },
    onBridged: (one, other) => link(lineOf(one), lineOf(other)),
    onUnbridged: (one, other) => unlink(lineOf(one), lineOf(other)),
    onSpeechStart: (speech) => {
      const { heardBy, content, runMs, runs } = speech;
      const frames = playedFrames(content, runMs);
      const whole = Number.isFinite(runs) ? Array.from({ length: runs }, () => frames).flat() : frames;
      const sounds = heardBy.map((leg) => addSound(lineOf(leg).played, whole, { loops: runs === Infinity }));
      speeches.set(speech.playRef, { speech, sounds });
    },
    onSpeechEnd: (playRef, isComplete) => {
      const { speech, sounds } = speeches.get(playRef) ?? {};
      speeches.delete(playRef);
      for (const sound of sounds ?? []) stopSound(sound);
      if (!isComplete || speech === undefined || !('text' in speech.content)) return;
      for (const leg of speech.heardBy) transcripts.played(leg, speech.content.text);
    },
    onDigitsSent: (leg, digits) => {
      const { until } = addSound(lineOf(leg).played, digitFrames(digits));
      plan(world.state.calls.plans, { leg, ms: (until - frameNow()) * FRAME_MS }, () => undefined);
    },
    onPersonPresses: (leg, digit) => {
      addSound(lineOf(leg).said, digitFrames(digit));
      streams.press(leg, digit);
    },
    onPersonSays: (leg, ms) => {
      addSound(lineOf(leg).said, toneFrames(voiceHz(leg.person), ms));
      const words = world.state.audio.words.get(leg.person)?.shift() ?? wordsFor(ms);
      recordings.hear(leg, words);
      if (leg.partner !== null) recordings.hear(leg.partner, words);
      // A talk is no step of a request, so `settled` does not wait for its end.
      plan(world.state.calls.plans, { leg, ms }, () => transcripts.said(leg, words));
    },
  };
}

function commandRoutes({ world, lineOf, recordings, streams, transcripts }: Parts): Route[] {
  const { calls } = world;
  return [
    calls.command('record_start', (leg, body) => {
      const asked = body as RecordStart;
      checkRecordStart(asked, transcripts.has(leg));
      recordings.start(leg, lineOf(leg), asked);
      if (asked.play_beep) hearBeep(world, leg, BEEP_MS);
      return undefined;
    }),
    calls.command('record_stop', (leg, { recording_id }) => {
      recordings.stop(leg, recording_id as string | undefined);
      return undefined;
    }),
    calls.command('record_pause', (leg, { recording_id }) => {
      recordings.pause(leg, recording_id as string | undefined);
      return undefined;
    }),
    calls.command('record_resume', (leg, { recording_id }) => {
      recordings.resume(leg, recording_id as string | undefined);
      return undefined;
    }),
    calls.command('streaming_start', (leg, body) => {
      const asked = body as StreamStart;
      checkStreamStart(asked, streams.has(leg));
      streams.start(leg, asked);
      return undefined;
    }),
    calls.command('streaming_stop', (leg, { stream_id }) => {
      streams.stop(leg, stream_id as string | undefined);
      return undefined;
    }),
    calls.command('transcription_start', (leg, body) => {
      if (!transcripts.start(leg, body as TranscriptionStart)) {
        throw new Refusal('90054', 'The call is transcribed already.');
      }
      return undefined;
    }),
    calls.command('transcription_stop', (leg) => {
      transcripts.stop(leg);
      return undefined;
    }),
  ];
}
