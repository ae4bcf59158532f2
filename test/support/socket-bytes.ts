/**
 * Bytes that one socket of this process has written and another has not read yet. The system delivers them a moment
 * later, or later still on a busy machine.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** The open sockets of clients. Sockets of servers are found by the port of their client. */
const clients = new Set<Socket>();
const servers = new Map<number, Socket>();
const serverPorts = new Map<number, number>();

subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket };
  clients.add(socket);
  socket.once('close', () => clients.delete(socket));
});

subscribe('net.server.socket', (message) => {
  const { socket } = message as { socket: Socket };
  const { remotePort, localPort } = socket;
  // A socket of the file system has no port.
  if (remotePort === undefined || localPort === undefined) return;
  servers.set(remotePort, socket);
  serverPorts.set(localPort, (serverPorts.get(localPort) ?? 0) + 1);
  socket.once('close', () => {
    if (servers.get(remotePort) === socket) servers.delete(remotePort);
  });
});

/** Forgets the sockets that are open. */
export function forgetSockets(): void {
  clients.clear();
  servers.clear();
  serverPorts.clear();
}

/**
 * Returns true if bytes, a new connection or the end of a connection are on their way between two sockets of this
 * process.
 */
export function areBytesUnderWay(): boolean {
  for (const client of clients) {
    if (client.connecting) return true;
    const { localPort, remotePort } = client;
    if (localPort === undefined || remotePort === undefined) continue;
    const server = servers.get(localPort);
    // The server has not accepted it yet, or belongs to another process.
    if (server === undefined) {
      if (serverPorts.has(remotePort) && !client.destroyed) return true;
      continue;
    }
    if (isUnread(client, server) || isUnread(server, client)) return true;
  }
  return false;
}

/**
 * True if the system has not delivered all bytes. False for a paused reader, because its bytes wait only for the
 * reader.
 */
function isUnread(writer: Socket, reader: Socket): boolean {
  if (reader.destroyed || reader.isPaused()) return false;
  return writer.bytesWritten !== reader.bytesRead || (writer.writableFinished && !reader.readableEnded);
}
