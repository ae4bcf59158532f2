/** Clients that are gone without a word. */
import { randomBytes } from 'node:crypto';
import type { WebSocket } from 'ws';

export type Liveness = {
  watch(webSocket: WebSocket): void;
  /** Reading goes on that had been put off: an answer may lie behind what was not read. */
  excuse(webSocket: WebSocket): void;
  /** Pings; a client that has not answered the ping before is cut off, unless it is not being read. */
  pingAll(webSockets: Iterable<WebSocket>): void;
};

/**
 * Only a pong with the bytes of the last ping is an answer (RFC 6455, 5.5.3): a client may send others as it likes, and
 * prove nothing by it.
 */
export function createLiveness(): Liveness {
  const unanswered = new WeakMap<WebSocket, Buffer>();
  return {
    watch: (webSocket) => {
      webSocket.on('pong', (bytes) => {
        if (unanswered.get(webSocket)?.equals(bytes) === true) unanswered.delete(webSocket);
      });
    },
    excuse: (webSocket) => {
      unanswered.delete(webSocket);
    },
    pingAll: (webSockets) => {
      const bytes = randomBytes(8);
      for (const webSocket of webSockets) {
        if (webSocket.isPaused) continue;
        if (unanswered.has(webSocket)) webSocket.terminate();
        unanswered.set(webSocket, bytes);
        webSocket.ping(bytes);
      }
    },
  };
}
