/**
 * Bounds what the process holds for clients that do not read. Node reads more requests while replies wait, and starts
 * every request of a chunk immediately, so one connection could have hundreds of unread replies.
 *
 * Requests of one connection run one after another (RFC 9112, 9.3.2 allows a server to run only safe ones concurrently,
 * and replies are sent in order in any case). So a connection has at most one unread reply. A reply that makes no
 * progress ends its connection. The oldest replies end theirs when all unread replies together exceed the limit.
 */
import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Api } from '../edge/types.ts';

export type ConnectionLimits = {
  /** Requests of one connection that wait for the running one; with one more the connection is closed. */
  waitingMax: number;
  /** How long a client may read nothing of a reply. */
  stalledMs: number;
  /** Unread bytes of replies of all clients together; beyond it the connections of the oldest replies are cut. */
  unreadBytesMax: number;
};

const CONNECTION_LIMITS: ConnectionLimits = {
  waitingMax: 100,
  stalledMs: 30_000,
  unreadBytesMax: 64 * 1024 * 1024,
};

/** Sets the limits for all routes added later. */
export function limitConnections(app: Api, limits: Partial<ConnectionLimits> = {}): void {
  const { waitingMax, stalledMs, unreadBytesMax } = { ...CONNECTION_LIMITS, ...limits };
  serialise(app, waitingMax);
  const unread = createUnread(unreadBytesMax);
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
      // The whole reply is in the system's buffers, or the connection is closed.
      reply.raw.once('close', () => {
        const next = busy.get(socket)?.waiting.shift();
        // Waiting requests of a closed connection are not started: their replies could not be sent.
        if (next === undefined || socket.destroyed) return void busy.delete(socket);
        // The previous reply has set a timeout; the next handler has none.
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

/** Adds up the unread bytes of all connections. */
function createUnread(bytesMax: number) {
  const replies = new Map<FastifyReply, { request: FastifyRequest; bytes: number }>();
  let total = 0;
  const remove = (reply: FastifyReply) => {
    total -= replies.get(reply)?.bytes ?? 0;
    replies.delete(reply);
  };
  return {
    add(request: FastifyRequest, reply: FastifyReply, bytes: number): void {
      if (!replies.has(reply)) reply.raw.once('close', () => remove(reply));
      remove(reply);
      replies.set(reply, { request, bytes });
      total += bytes;
      for (const [oldest, { request: stalled }] of replies) {
        if (total <= bytesMax || oldest === reply) break;
        remove(oldest);
        cut(stalled, 'too many unread bytes in all; this reply is the oldest');
      }
    },
  };
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
