import { PassThrough, type Readable } from 'node:stream';
import type { ApiError } from '../../lib/errors/errors.ts';
import { every, monotonicMs } from '../../lib/time/time.ts';

/** The minimum rate of a body. It applies from `graceMs` after the body's start. */
export type BodyRate = { readonly bytesPerS: number; readonly graceMs: number };

type Watch = {
  onBytes?(bytes: number): void;
  onComplete?(): void;
  /** Called once if the body arrives at less than this rate. */
  readonly rate?: BodyRate;
  onSlow?(): void;
};

export type WatchedBody = {
  /** The stream that the body's parser reads. */
  readonly stream: Readable;
  /**
   * Ends the stream with an error. The rest of the body is dropped when it arrives, so that the client can read the
   * reply.
   */
  refuse(error: ApiError): void;
  /** Stops watching. Called when the exchange has ended. */
  leave(): void;
};

const CHECK_MS = 1_000;

/** Passes the bytes of a body to `stream`, and reports when they arrive. */
export function watchBody(raw: Readable, { onBytes, onComplete, rate, onSlow }: Watch): WatchedBody {
  const stream = new PassThrough();
  const startedMs = monotonicMs();
  let bytes = 0;
  let slowChecks = 0;

  const check = ({ bytesPerS, graceMs }: BodyRate) => {
    const dueBytes = ((monotonicMs() - startedMs - graceMs) * bytesPerS) / 1_000;
    slowChecks = bytes < dueBytes ? slowChecks + 1 : 0;
    // The first check after a stall of this process runs before the bytes that arrived during the stall are read.
    if (slowChecks < 2) return;
    timer?.cancel();
    onSlow?.();
  };
  const timer = rate && every(CHECK_MS, () => check(rate)).unref();

  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    onBytes?.(chunk.length);
  };
  const fail = (error: Error) => void stream.destroy(error);
  const stop = () => {
    timer?.cancel();
    raw.off('data', count);
  };
  raw.on('data', count);
  raw.once('end', () => {
    stop();
    onComplete?.();
  });
  raw.once('error', fail);
  raw.once('close', () => {
    stop();
    if (!raw.readableEnded) fail(new Error('the request was cut short'));
  });
  // The reader may destroy the stream, for example when the body is too long.
  stream.on('error', stop);
  raw.pipe(stream);

  return {
    stream,
    leave: stop,
    refuse: (error) => {
      stop();
      raw.unpipe(stream);
      raw.resume();
      stream.destroy(error);
    },
  };
}
