/**
 * Bounds the memory for clients that do not read their replies. Node reads more requests while replies wait, and starts
 * every request of a chunk immediately. So one connection could have hundreds of unread replies.
 *
 * Requests of one connection run one after another. RFC 9112, 9.3.2 allows a server to run only safe requests
 * concurrently, and replies are sent in order in any case. So a connection has at most one unread reply. A reply that
 * makes no progress ends its connection. `unread-replies.ts` bounds the unread replies of all connections.
 */
import { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Api } from '../edge/types.ts';
import { createUnreadReplies, type UnreadLimits } from './unread-replies.ts';

export type ConnectionLimits = UnreadLimits & {
  /** The most requests of one connection that may wait for the running request. One more closes the connection. */
  waitingMax: number;
  /** For how long a client may read nothing of a reply. */
  stalledMs: number;
};

const CONNECTION_LIMITS: ConnectionLimits = {
  waitingMax: 100,
  stalledMs: 30_000,
  shareBytesMax: 32 * 1024 * 1024,
  unreadBytesMax: 64 * 1024 * 1024,
};

/** Sets the limits for all routes added later. */
export function limitConnections(app: Api, limits: Partial<ConnectionLimits> = {}): void {
  const { waitingMax, stalledMs, ...unreadLimits } = { ...CONNECTION_LIMITS, ...limits };
  serialise(app, waitingMax);
  const unread = createUnreadReplies(unreadLimits, cut);
  app.addHook('onSend', (request, reply, payload, done) => {
    // An injected request has no connection.
    if (request.raw.socket instanceof Socket && !request.raw.socket.destroyed) {
      reply.raw.setTimeout(stalledMs, () => cut(request, 'reply not read in time'));
      unread.add(request, reply, bytesOf(payload));
    }
    done();
  });
}

/** The requests that wait on a busy connection. */
type Line = { waiting: (() => void)[] };

function serialise(app: Api, waitingMax: number): void {
  const busy = new WeakMap<Socket, Line>();
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const start = () => {
      // `close` is emitted when the system's buffers have the whole reply, or when the connection is closed.
      reply.raw.once('close', () => {
        const next = busy.get(socket)?.waiting.shift();
        // Waiting requests of a closed connection are not started: their replies could not be sent.
        if (next === undefined || socket.destroyed) return void busy.delete(socket);
        // The previous reply has set a timeout. The next handler must have none.
        socket.setTimeout(0);
        next();
      });
      done();
    };
    const line = busy.get(socket);
    if (line === undefined) {
      busy.set(socket, { waiting: [] });
      start();
    } else if (line.waiting.length < waitingMax) line.waiting.push(start);
    else cut(request, 'too many requests on one connection');
  });
}

function cut(request: FastifyRequest, reason: string): void {
  const { socket } = request.raw;
  if (socket.destroyed) return;
  request.log.info({ reason }, 'connection cut off');
  socket.destroy();
}

function bytesOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  return payload instanceof Uint8Array ? payload.byteLength : 0;
}
