/**
 * A carrier's socket with the voice of a called party for the detector of answering machines. Nothing else hears it: it
 * does not join the audio of the call, and is not kept. It closes once nothing is left to find and every finding is
 * stored.
 */
import type { RawData, WebSocket } from 'ws';
import { AnswerDetector, type AnswerFinding } from '../../audio/answer/answer-detector.ts';
import { FRAME_BYTES } from '../../audio/mulaw-frames.ts';
import type { SocketDialect } from '../../carriers/ports/audio.ts';
import { CLOSE, type CloseReason, closeSocket } from '../../http/sockets/close-codes.ts';
import type { Heartbeat } from '../../http/sockets/heartbeat.ts';

/** The kinds that the detector looks for. `nothing`: the voice came too late, so the kind of the party is unknown. */
export type Detects = 'kind' | 'greeting_end' | 'nothing';

export type AnswerSocketOptions = {
  readonly webSocket: WebSocket;
  readonly heartbeat: Heartbeat;
  readonly dialect: SocketDialect;
  readonly detects: Detects;
  /** Stores a finding. Calls `stored` once it is stored. */
  readonly report: (finding: AnswerFinding, stored: () => void) => void;
  /** Called once. */
  readonly onEnd: () => void;
};

export type AnswerSocket = {
  close(reason: CloseReason): void;
};

const UNHEARD: AnswerFinding = { found: 'kind', kind: 'unknown', atMs: 0 };

/** Passes the party's voice to a detector. The socket is open, and paused until now. */
export function openAnswerSocket(options: AnswerSocketOptions): AnswerSocket {
  const { webSocket, heartbeat, dialect, detects, report, onEnd } = options;
  const detector = detects === 'greeting_end' ? new AnswerDetector('machine') : new AnswerDetector();
  const frames = createFramer();
  let isOver = false;
  let unstored = 0;

  const close = (reason: CloseReason) => {
    isOver = true;
    closeSocket(webSocket, reason);
  };
  const find = (finding: AnswerFinding) => {
    unstored += 1;
    report(finding, () => {
      unstored -= 1;
      if (isOver && unstored === 0) close(CLOSE.streamStopped);
    });
  };
  const write = (audio: Uint8Array) => {
    for (const frame of frames.cut(audio)) {
      const finding = detector.write(frame);
      if (detector.isOver) isOver = true;
      if (finding !== undefined) find(finding);
    }
  };

  heartbeat.watch(webSocket, { answer: 'any' });
  webSocket.on('message', (message: RawData, isBinary: boolean) => {
    if (isOver) return;
    const events = dialect.read(message as Buffer, isBinary);
    if (events === undefined) return close(CLOSE.malformed);
    for (const event of events) {
      if (event.type === 'unreadable') return close(CLOSE.unreadable);
      if (event.type === 'media') write(event.audio);
    }
  });
  webSocket.on('close', () => {
    isOver = true;
    onEnd();
  });
  if (detects === 'nothing') {
    isOver = true;
    find(UNHEARD);
  }
  webSocket.resume();
  return { close };
}

/** Creates the function that cuts audio of any length into frames. A rest waits for more. */
function createFramer() {
  let rest = new Uint8Array();
  return {
    cut: (audio: Uint8Array): Uint8Array[] => {
      const whole = rest.length === 0 ? audio : Buffer.concat([rest, audio]);
      const count = Math.floor(whole.length / FRAME_BYTES);
      rest = whole.slice(count * FRAME_BYTES);
      return Array.from({ length: count }, (_, n) => whole.subarray(n * FRAME_BYTES, (n + 1) * FRAME_BYTES));
    },
  };
}
