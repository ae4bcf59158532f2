import { randomBytes } from 'node:crypto';
import type { WebSocket } from 'ws';
import { every } from '../../lib/time/time.ts';

export type PingOptions = {
  /**
   * What counts as an answer. `echo`: only a pong with the bytes of the last ping (RFC 6455, 5.5.3). `any`: every pong
   * and every message.
   */
  readonly answer: 'echo' | 'any';
  /** Sends a custom ping instead of the heartbeat's own. Only for `any`. */
  readonly ping?: () => void;
  /** Disconnects the client. By default the socket is terminated. */
  readonly cutOff?: () => void;
};

/** Pings sockets on one schedule. Cuts off a socket that has not answered when the next ping is due. */
export type Heartbeat = {
  /** Pings the socket from the next beat until it closes. A second call replaces the options. */
  watch(webSocket: WebSocket, options: PingOptions): void;
  /** True if the last ping is unanswered. */
  isSilent(webSocket: WebSocket): boolean;
  /** Counts the last ping as answered. The answer may be behind messages that the server has not read yet. */
  excuse(webSocket: WebSocket): void;
  /** Runs one beat now. */
  beat(): void;
  stop(): void;
};

type Watched = { readonly options: PingOptions; unanswered: Buffer | undefined };

/** A paused socket gets no ping and is not cut off, because its answer could not be read. */
export function createHeartbeat(everyMs: number): Heartbeat {
  const sockets = new Map<WebSocket, Watched>();

  const check = (webSocket: WebSocket, watched: Watched, bytes: Buffer) => {
    if (webSocket.readyState !== webSocket.OPEN || webSocket.isPaused) return;
    const { ping = () => webSocket.ping(bytes), cutOff = () => webSocket.terminate() } = watched.options;
    if (watched.unanswered !== undefined) return cutOff();
    watched.unanswered = bytes;
    ping();
  };

  const acknowledge = (webSocket: WebSocket, pong?: Buffer) => {
    const watched = sockets.get(webSocket);
    if (watched === undefined) return;
    const isAnswer = watched.options.answer === 'any' || (pong !== undefined && watched.unanswered?.equals(pong));
    if (isAnswer) watched.unanswered = undefined;
  };

  const beat = () => {
    const bytes = randomBytes(8);
    for (const [webSocket, watched] of [...sockets]) check(webSocket, watched, bytes);
  };

  const timer = every(everyMs, beat).unref();
  return {
    watch: (webSocket, options) => {
      const isKnown = sockets.has(webSocket);
      sockets.set(webSocket, { options, unanswered: undefined });
      if (isKnown) return;
      webSocket.on('pong', (pong) => acknowledge(webSocket, pong));
      webSocket.on('message', () => acknowledge(webSocket));
      webSocket.on('close', () => sockets.delete(webSocket));
    },
    isSilent: (webSocket) => sockets.get(webSocket)?.unanswered !== undefined,
    excuse: (webSocket) => {
      const watched = sockets.get(webSocket);
      if (watched !== undefined) watched.unanswered = undefined;
    },
    beat,
    stop: () => timer.cancel(),
  };
}
