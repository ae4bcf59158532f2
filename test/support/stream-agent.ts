/** A server for outgoing streams of the gateway. It acts like a program for Twilio's Media Streams. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { closeAfterTests } from './close-after-tests.ts';

/** A message to an agent. */
export type AgentMessage = { event: string; [field: string]: unknown };

/**
 * Starts an agent's server, which stores the messages that it receives. `statuses` are the refusals of the first
 * handshakes; with `hang` it answers no handshake.
 */
async function startStreamAgent(statuses: readonly (number | 'hang')[]) {
  const messages: AgentMessage[] = [];
  const sockets: WebSocket[] = [];
  const closes: number[] = [];
  let handshakes = 0;
  const held: Duplex[] = [];
  const server = createServer();
  const agents = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, connection, head) => {
    // The gateway may close the connection first.
    connection.on('error', () => undefined);
    const status = statuses[handshakes++];
    if (status === 'hang') return void held.push(connection);
    if (status !== undefined) return connection.end(`HTTP/1.1 ${status} No\r\nConnection: close\r\n\r\n`);
    agents.handleUpgrade(request, connection, head, (socket) => {
      sockets.push(socket);
      socket.on('message', (text) => messages.push(JSON.parse(String(text))));
      socket.on('close', (code) => closes.push(code));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    for (const socket of sockets) socket.terminate();
    for (const connection of held) connection.destroy();
    server.closeAllConnections();
    server.close();
  };
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/agent`;
  const send = (message: object) => sockets[0]?.send(JSON.stringify(message));
  return { url, messages, sockets, closes, send, handshakes: () => handshakes, close };
}

export type StreamAgent = Awaited<ReturnType<typeof startStreamAgent>>;

/** Returns a function that starts agents, which are closed after the tests of the file. */
export function useStreamAgents(): (statuses?: readonly (number | 'hang')[]) => Promise<StreamAgent> {
  const agents: StreamAgent[] = [];
  closeAfterTests(async () => {
    for (const agent of agents) agent.close();
  });
  return async (statuses = []) => {
    const agent = await startStreamAgent(statuses);
    agents.push(agent);
    return agent;
  };
}
