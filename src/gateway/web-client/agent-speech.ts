/**
 * Speaks texts to web clients on this node, such as the notice that a call is recorded. The texts are in the database.
 * The node that has the audio of a leg claims a text, and stores its end after the last word. If the socket ends
 * earlier, the node releases the text. The next socket of the leg, on this node or another, gets it from the beginning.
 * A text that a killed node claimed can be claimed again once the node counts as lost.
 */
import { toMulawFrames } from '../../audio/mulaw-frames.ts';
import type { Context } from '../../context.ts';
import { type AgentSpeech, claimSpeeches, endAgentSpeech, releaseSpeech } from '../../domain/voice/index.ts';
import type { Synthesizer } from '../../speech/port.ts';
import { createEndReports } from '../media/endings.ts';
import { monotonicClock } from '../media/ticker.ts';
import type { AudioSocket } from './audio-socket.ts';

export type AgentSpeechOptions = {
  readonly nodeId: string;
  readonly synthesizer: Synthesizer;
  /** Pause before a failed report is retried. It doubles with each attempt. */
  readonly retryMs?: number;
};

export type AgentSpeeches = {
  /**
   * Speaks the texts that wait for the legs of these sockets. All legs are in one ledger. Resolves once the texts are
   * claimed.
   */
  speak(ledgerId: number, sockets: readonly AudioSocket[]): Promise<void>;
  /** Stops a speech to the leg of this socket. */
  stop(socket: AudioSocket, speechRef: string): void;
  /** Resolves when all earlier ends are stored, or after `withinMs`. */
  settle(withinMs: number): Promise<void>;
};

const RETRY_MS = 1_000;

export function createAgentSpeeches(
  { db, log }: Pick<Context, 'db' | 'log'>,
  { nodeId, synthesizer, retryMs = RETRY_MS }: AgentSpeechOptions,
): AgentSpeeches {
  const reports = createEndReports({ log, retryMs, nowMs: monotonicClock.nowMs });
  /** Speeches that are playing or waiting, by leg and reference. */
  const begun = new Map<string, { isStopped: boolean }>();
  /** The latest speech of each socket: the next one waits for its end. */
  const latest = new WeakMap<AudioSocket, Promise<void>>();

  const conclude = (what: string, key: string, store: () => Promise<void>) =>
    reports.send(what, async () => {
      await store();
      begun.delete(key);
    });

  const speakOne = async (socket: AudioSocket, speech: AgentSpeech, key: string): Promise<void> => {
    try {
      const frames = toMulawFrames(await synthesizer.synthesize(speech.text));
      const isStopped = begun.get(key)?.isStopped === true;
      const outcome = isStopped ? 'stopped' : await socket.spoken.start(speech.speechRef, frames);
      if (outcome === 'cut_off') conclude('a speech to give back', key, () => releaseSpeech(db, speech, nodeId));
      else conclude('the end of a speech', key, () => endAgentSpeech(db, speech, outcome === 'spoken'));
    } catch (error) {
      log.error({ err: error, call: speech.callId }, 'a text could not be spoken to a web client; skipped it');
      conclude('the end of a speech', key, () => endAgentSpeech(db, speech, false));
    }
  };

  return {
    speak: async (ledgerId, sockets) => {
      const byLeg = new Map(sockets.map((socket) => [socket.grant.legId, socket]));
      for (const speech of await claimSpeeches(db, { ledgerId }, { legIds: [...byLeg.keys()], nodeId })) {
        const key = keyOf(speech);
        const socket = byLeg.get(speech.legId);
        if (socket === undefined || begun.has(key)) continue;
        begun.set(key, { isStopped: false });
        const before = latest.get(socket) ?? Promise.resolve();
        latest.set(
          socket,
          before.then(() => speakOne(socket, speech, key)),
        );
      }
    },
    stop: (socket, speechRef) => {
      const speech = begun.get(keyOf({ legId: socket.grant.legId, speechRef }));
      if (speech !== undefined) speech.isStopped = true;
      socket.spoken.stop(speechRef);
    },
    settle: reports.settle,
  };
}

function keyOf({ legId, speechRef }: Pick<AgentSpeech, 'legId' | 'speechRef'>): string {
  return `${legId} ${speechRef}`;
}
