/** A text agent that repeats the caller's words (docs/relay.md has the messages). */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { parseObject } from '../../../lib/json-object.ts';
import { CommandError } from '../../command.ts';

/** An event of a call of the agent. */
export type EchoEvent = {
  readonly type: 'connected' | 'caller' | 'key' | 'agent' | 'heard' | 'error' | 'over';
  readonly call_id: string;
  readonly text: string;
};

export type Echo = { readonly url: string; close(): void };

const GREETING = 'This is the echo. Say something.';
const GOODBYE = 'Goodbye.';
const MESSAGE_BYTES_MAX = 64 * 1024;

/** Starts the agent on this machine. `report` is called with each event. */
export async function startEcho(port: number, report: (event: EchoEvent) => void): Promise<Echo> {
  const server = createServer();
  const sockets = new WebSocketServer({ server, maxPayload: MESSAGE_BYTES_MAX });
  // The HTTP server reports the same errors.
  sockets.on('error', () => undefined);
  sockets.on('connection', (socket) => answer(socket, report));
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new CommandError(`The agent cannot listen on port ${port}: ${(error as Error).message}`, { cause: error });
  }
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
    },
  };
}

function answer(socket: WebSocket, report: (event: EchoEvent) => void): void {
  let callId = '';
  const show = (type: EchoEvent['type'], text: unknown = '') => report({ type, call_id: callId, text: String(text) });
  const say = (text: string) => {
    socket.send(JSON.stringify({ type: 'text', token: text, last: true }));
    show('agent', text);
  };
  const handlers: Readonly<Record<string, (message: Readonly<Record<string, unknown>>) => void>> = {
    setup: ({ callSid }) => {
      callId = String(callSid);
      show('connected');
      say(GREETING);
    },
    prompt: ({ voicePrompt, last }) => {
      if (last !== true) return;
      show('caller', voicePrompt);
      say(`You said: ${voicePrompt}`);
    },
    dtmf: ({ digit }) => {
      show('key', digit);
      say(digit === '#' ? GOODBYE : `You pressed ${digit}.`);
      if (digit === '#') socket.send(JSON.stringify({ type: 'end' }));
    },
    interrupt: ({ utteranceUntilInterrupt }) => show('heard', `${utteranceUntilInterrupt} (interrupted)`),
    error: ({ description }) => show('error', description),
  };
  socket.on('message', (data) => {
    const message = parseObject(String(data));
    const type = String(message?.['type']);
    if (message !== undefined && Object.hasOwn(handlers, type)) handlers[type]?.(message);
  });
  // `close` follows each error.
  socket.on('error', () => undefined);
  socket.on('close', () => show('over'));
}
