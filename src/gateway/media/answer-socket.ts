/**
 * A carrier's socket with the voice of a called party, for the detector of answering machines. Only the detector
 * receives the voice: it does not join the audio of the call, and is not stored. The socket closes when the detector
 * can find nothing more and every finding is stored.
 */
import type { RawData, WebSocket } from 'ws';
import type { SocketDialect } from '../../carriers/ports/audio.ts';
import { CLOSE, type CloseReason, closeSocket } from '../../http/sockets/close-codes.ts';
import type { Heartbeat } from '../../http/sockets/heartbeat.ts';
import { type AnswerEarOptions, createAnswerEar } from './answer-ear.ts';

export type AnswerSocketOptions = Pick<AnswerEarOptions, 'detects' | 'report'> & {
  readonly webSocket: WebSocket;
  readonly heartbeat: Heartbeat;
  readonly dialect: SocketDialect;
  /** Called once. */
  readonly onEnd: () => void;
};

export type AnswerSocket = {
  close(reason: CloseReason): void;
};

/** Passes the party's voice to a detector. The socket is open; this function ends its pause. */
export function openAnswerSocket(options: AnswerSocketOptions): AnswerSocket {
  const { webSocket, heartbeat, dialect, detects, report, onEnd } = options;
  let isOver = false;

  const close = (reason: CloseReason) => {
    isOver = true;
    ear.stop();
    closeSocket(webSocket, reason);
  };
  const ear = createAnswerEar({ detects, report, onDone: () => close(CLOSE.streamStopped) });

  heartbeat.watch(webSocket, { answer: 'any' });
  webSocket.on('message', (message: RawData, isBinary: boolean) => {
    if (isOver) return;
    const events = dialect.read(message as Buffer, isBinary);
    if (events === undefined) return close(CLOSE.malformed);
    for (const event of events) {
      if (event.type === 'unreadable') return close(CLOSE.unreadable);
      if (event.type === 'media') ear.write(event.audio);
    }
  });
  webSocket.on('close', () => {
    isOver = true;
    ear.stop();
    onEnd();
  });
  webSocket.resume();
  return { close };
}
