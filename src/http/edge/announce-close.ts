import type { Socket } from 'node:net';
import type { Api } from './types.ts';

/**
 * Announces with `Connection: close` that the server will close a connection, so that the client sends its next request
 * elsewhere (RFC 9112, 9.6). A client may have sent more requests before it reads the reply. The announcement comes
 * with the reply to the last request. Called before hooks that make requests wait for each other.
 */
export function announceClose(app: Api, isStopping: () => boolean): void {
  const open = new WeakMap<Socket, number>();
  const count = (socket: Socket, by: number) => open.set(socket, (open.get(socket) ?? 0) + by);
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    count(socket, 1);
    reply.raw.once('close', () => count(socket, -1));
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isStopping() && open.get(request.raw.socket) === 1) reply.header('connection', 'close');
    done();
  });
}
