import { connect, type Socket } from 'node:net';

/**
 * Connects to the event socket over bare TCP and sends the handshake. After that the client sends nothing, not even a
 * pong or a close frame.
 */
export function connectBareClient({ hostname, port }: Pick<URL, 'hostname' | 'port'>, token: string): Socket {
  const socket = connect({ port: Number(port), host: hostname });
  socket.write(
    `GET /v1/realtime?token=${token} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  return socket;
}
