/** A web client that is an agent of a queue: it answers each call, and connects again whatever it has lost. */
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { ClientMessage, ServerMessage } from '../../src/gateway/web-client/protocol.ts';
import type { Span } from './queue-findings.ts';

export type QueueWebClient = {
  readonly id: string;
  /** The time spans when the web client was logged in. */
  present(): Span[];
  /** Logins, and connections of audio, that failed or broke. */
  readonly counts: { logins: number; audios: number };
  /** Logs out. */
  stop(): Promise<void>;
};

type Options = {
  readonly id: string;
  /** Mints a token to log in with. */
  readonly mint: () => Promise<string>;
  /** Returns an origin for signalling or audio. Like a load balancer, it returns a different one at each call. */
  readonly origin: (of: 'signalling' | 'audio') => string;
};

const AGAIN_MS = 300;

/** Logs in, and stays so until `stop`. */
export function startQueueWebClient(options: Options): QueueWebClient {
  const counts = { logins: 0, audios: 0 };
  const spans: { fromMs: number; toMs: number }[] = [];
  let socket: WebSocket | undefined;
  let isStopped = false;

  const logIn = async () => {
    const token = await options.mint();
    const url = `${options.origin('signalling').replace('http', 'ws')}/v1/softphone?token=${encodeURIComponent(token)}`;
    socket = new WebSocket(url);
    const span = await serve(socket, { ...options, counts, onLogin: (each) => spans.push(each) });
    if (span !== undefined) span.toMs = Date.now();
  };
  const stay = async () => {
    while (!isStopped) {
      await logIn();
      if (isStopped) return;
      counts.logins++;
      await pause(AGAIN_MS);
    }
  };
  const staying = stay();
  return {
    id: options.id,
    counts,
    present: () => spans.map((span) => ({ ...span })),
    stop: async () => {
      isStopped = true;
      socket?.close();
      await staying;
    },
  };
}

type Login = Pick<Options, 'origin'> & {
  readonly counts: QueueWebClient['counts'];
  readonly onLogin: (span: { fromMs: number; toMs: number }) => void;
};

/** Answers calls until the socket closes. Returns the time of the login, whose end is open; undefined without one. */
function serve(socket: WebSocket, { origin, counts, onLogin }: Login) {
  const { promise, resolve } = Promise.withResolvers<{ fromMs: number; toMs: number } | undefined>();
  let span: { fromMs: number; toMs: number } | undefined;
  const audios = new Map<string, WebSocket>();
  const send = (message: ClientMessage) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const drop = (callId: string) => {
    const audio = audios.get(callId);
    audios.delete(callId);
    audio?.close();
  };
  const connect = (callId: string, { url, token }: { readonly url: string; readonly token: string }) => {
    drop(callId);
    const audio = new WebSocket(`${origin('audio').replace('http', 'ws')}${new URL(url).pathname}?token=${token}`);
    audios.set(callId, audio);
    audio.on('error', () => undefined);
    audio.on('close', () => {
      if (audios.get(callId) !== audio) return;
      counts.audios++;
      setTimeout(() => {
        if (audios.get(callId) === audio) send({ type: 'media', call_id: callId });
      }, AGAIN_MS).unref();
    });
  };
  socket.on('error', () => undefined);
  socket.on('close', () => {
    for (const callId of audios.keys()) drop(callId);
    resolve(span);
  });
  socket.on('message', (text) => {
    const message: ServerMessage = JSON.parse(String(text));
    if (message.type === 'registered') {
      span = { fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY };
      onLogin(span);
    }
    if (message.type === 'incoming') send({ type: 'answer', call_id: message.call_id });
    if (message.type === 'media') connect(message.call_id, message);
    if (message.type === 'ended') drop(message.call_id);
  });
  return promise;
}
