import { Socket } from 'node:net';
import { endsWithin } from '../../lib/concurrency/ends-within.ts';
import type { Api } from './types.ts';

/**
 * Makes the end of the app wait at most `ms` for running requests. The app of a cell has no listener that waits for
 * them. Must be called before hooks that make requests wait for each other.
 */
export function awaitRequests(app: Api, ms: number): void {
  /** Running requests, by connection. */
  const running = new Map<Socket, number>();
  const watched = new WeakSet<Socket>();
  const idle = Promise.withResolvers<void>();
  let isEnding = false;

  const end = (socket: Socket) => {
    running.delete(socket);
    if (isEnding && running.size === 0) idle.resolve();
  };

  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    // An injected request has no connection.
    if (!(socket instanceof Socket) || socket.destroyed) return done();
    running.set(socket, (running.get(socket) ?? 0) + 1);
    // A reply that waits for an earlier one emits no `close` when its connection closes. So the connection itself is
    // watched.
    if (!watched.has(socket)) socket.once('close', () => end(socket));
    watched.add(socket);
    reply.raw.once('close', () => {
      const left = (running.get(socket) ?? 1) - 1;
      if (left === 0) end(socket);
      else running.set(socket, left);
    });
    done();
  });

  app.addHook('preClose', async () => {
    isEnding = true;
    if (running.size > 0) await endsWithin(idle.promise, ms);
  });
}
