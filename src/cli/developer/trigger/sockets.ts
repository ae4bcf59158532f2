/**
 * The steps of recipes that need a WebSocket. They play the client of a media stream, the agent of a relay, and a web
 * client that calls 911.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { after } from '../../../lib/time/time.ts';
import { CommandError } from '../../command.ts';
import type { Made, Stage } from './stage.ts';

type Message = { readonly type: string; readonly call_id?: string; readonly message?: string };

const LIMIT_MS = 15_000;

/** Connects as the client of a media stream. The socket stays open until the call or the process ends. */
export async function useStream({ show }: Stage, stream: Made): Promise<void> {
  const { url, token } = stream as Made & { url: string; token: string };
  const socket = new WebSocket(`${url}?token=${encodeURIComponent(token)}`);
  await answerOf(socket, url, ({ data }) => JSON.parse(String(data)).event === 'start');
  show({ request: `WebSocket ${url}`, result: 'connected' });
}

/**
 * Starts the agent of a relay on this machine. It runs until the process ends. It greets the customer, or hands the
 * call off immediately.
 * @returns its address
 */
export async function startAgent({ show }: Stage, { handsOff }: { readonly handsOff: boolean }): Promise<string> {
  const server = createServer();
  new WebSocketServer({ server }).on('connection', (socket) => {
    const handoffData = JSON.stringify({ reason: 'wants a person' });
    const message = handsOff
      ? { type: 'end', handoffData }
      : { type: 'text', token: 'Hello, how can I help you?', last: true };
    socket.send(JSON.stringify(message));
    socket.on('error', () => socket.terminate());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  show({ request: `agent at ${url}`, result: 'listening' });
  return url;
}

/** Logs a web client in, has it place an emergency call, and hangs up. Resolves with the id of the call. */
export async function placeEmergencyCall({ server, show }: Stage, token: string, body: object): Promise<string> {
  const path = '/v1/softphone';
  const socket = new WebSocket(`${server.url.replace(/^http/, 'ws')}${path}?token=${encodeURIComponent(token)}`);
  const sent = { type: 'place', ...body };
  const send = (message: object) => socket.send(JSON.stringify(message));
  let callId: string | undefined;
  await answerOf(socket, path, ({ data }) => {
    const { type, call_id, message } = JSON.parse(String(data)) as Message;
    if (type === 'error') throw new CommandError(`${server.url}${path} answered: ${message}`);
    if (type === 'registered') send(sent);
    if (type === 'dialing') callId = call_id;
    return callId !== undefined;
  });
  show({ request: `WebSocket ${path}`, body: sent, result: `dialing ${callId}` });
  send({ type: 'hang_up', call_id: callId });
  socket.close();
  return callId as string;
}

/** Waits for a message that `take` returns true for. Throws CommandError if none comes. */
async function answerOf(socket: WebSocket, name: string, take: (message: MessageEvent) => boolean): Promise<void> {
  const taken = Promise.withResolvers<void>();
  const fail = (why: string) => taken.reject(new CommandError(`The WebSocket ${name} ${why}.`));
  const timer = after(LIMIT_MS, () => fail(`sent nothing for ${LIMIT_MS / 1_000} s`));
  socket.addEventListener('error', () => fail('cannot be opened'));
  socket.addEventListener('close', ({ code, reason }) => fail(`was closed with ${code} ${reason}`));
  socket.addEventListener('message', (message) => {
    try {
      if (take(message)) taken.resolve();
    } catch (error) {
      taken.reject(error as Error);
    }
  });
  try {
    await taken.promise;
  } finally {
    timer.cancel();
  }
}
