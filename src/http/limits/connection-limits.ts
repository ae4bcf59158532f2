/**
 * What one client can make the process hold by not reading. Node reads on while replies wait, and starts every request
 * of a chunk at once, so that one connection could have hundreds of replies made that nobody takes.
 *
 * Requests of one connection are carried out one after another (RFC 9112, 9.3.2 allows a server to run only safe ones
 * side by side, and replies go out in order in any case). So a connection has one reply unread at most; a reply that
 * makes no progress ends its connection, and so do the oldest when all of them together are too much.
 */
import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Api } from '../edge/types.ts';

export type ConnectionLimits = {
  /** Requests of one connection that wait for the one under way; with one more the connection is closed. */
  waitingMax: number;
  /** How long a reply may go without the client taking any of it. */
  stalledMs: number;
  /** Bytes of replies that all clients together have not taken yet; beyond it the oldest are cut off. */
  unreadBytesMax: number;
};

export const CONNECTION_LIMITS: ConnectionLimits = {
  waitingMax: 100,
  stalledMs: 30_000,
  unreadBytesMax: 64 * 1024 * 1024,
};

/** Sets the limits for all routes added later. */
export function limitConnections(app: Api, limits: Partial<ConnectionLimits> = {}): void {
  const { waitingMax, stalledMs, unreadBytesMax } = { ...CONNECTION_LIMITS, ...limits };
  takeTurns(app, waitingMax);
  const unread = createUnread(unreadBytesMax);
  app.addHook('onSend', (request, reply, payload, done) => {
    // A request that was injected has no connection to cut.
    if (request.raw.socket instanceof Socket && !request.raw.socket.destroyed) {
      reply.raw.setTimeout(stalledMs, () => cut(request, 'reply not read in time'));
      unread.add(request, reply, bytesOf(payload));
    }
    done();
  });
}

/** The requests that wait for their turn on a connection that is busy. */
type Line = { waiting: (() => void)[] };

function takeTurns(app: Api, waitingMax: number): void {
  const busy = new WeakMap<Socket, Line>();
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const start = () => {
      // Once the reply has gone to the system whole, or the connection is gone.
      reply.raw.once('close', () => {
        const next = busy.get(socket)?.waiting.shift();
        // What waits behind a client that has left is not begun: nobody would learn how it ended.
        if (next === undefined || socket.destroyed) return void busy.delete(socket);
        // The reply before has set it; the handler of the next may take its time.
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
    else cut(request, 'too many requests at once on one connection');
  });
}

/** Adds up what is unread over all connections. */
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
        cut(stalled, 'too much is unread; the oldest reply gives way');
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
