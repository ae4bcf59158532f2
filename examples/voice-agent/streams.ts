/** The port that the gateway connects to, with the audio of calls. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { Bridge, StreamEvent } from './bridge.ts';

const MESSAGE_BYTES_MAX = 64 * 1024;
const FIRST_MESSAGE_MS = 5_000;

type First = { event: 'start'; parameters?: { secret?: string } } | StreamEvent;

/** Opens the port. `find` returns the call whose secret a connection shows: the port is open to everyone. */
export async function acceptStreams(port: number, find: (secret: string) => Bridge | undefined) {
  const server = new WebSocketServer({ port, host: '127.0.0.1', maxPayload: MESSAGE_BYTES_MAX });
  server.on('connection', (socket) => {
    let bridge: Bridge | undefined;
    const late = setTimeout(() => socket.terminate(), FIRST_MESSAGE_MS);
    socket.on('error', () => socket.terminate());
    socket.on('close', () => clearTimeout(late));
    socket.on('message', (data) => {
      const message = read(String(data));
      if (bridge !== undefined) {
        if (message !== undefined && message.event !== 'start') bridge.hear(message);
        return;
      }
      clearTimeout(late);
      bridge = message?.event === 'start' ? find(message.parameters?.secret ?? '') : undefined;
      if (bridge === undefined) socket.close(1008, 'unknown');
      else bridge.connect(socket);
    });
  });
  await once(server, 'listening');
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}

function read(text: string): First | undefined {
  try {
    return JSON.parse(text) as First;
  } catch {
    return undefined;
  }
}
