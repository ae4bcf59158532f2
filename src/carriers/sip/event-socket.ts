/** An engine sends its events over this socket, and takes requests over it. */
import type { Logger } from 'pino';
import { WebSocket } from 'ws';
import { listAt, parseObject, textAt, valueAt } from '../../lib/json-object.ts';
import { after, every } from '../../lib/time/time.ts';
import {
  APPLICATION,
  type AriRequest,
  classify,
  type EngineClient,
  type RequestSocket,
  searchOf,
} from './ari-client.ts';

/** An event as the engine sends it. */
export type AriEvent = Readonly<Record<string, unknown>> & { readonly type: string };

export type EventSocket = RequestSocket & {
  /** Resolves when the socket has closed. */
  readonly closed: Promise<void>;
  close(): void;
};

type SocketOptions = {
  readonly client: EngineClient;
  readonly log: Logger;
  /** Must not throw. */
  readonly onEvent: (event: AriEvent) => void;
};

const CONNECT_MS = 3_000;
/** More than any event needs. An event contains at most a few channels and bridges. */
const MESSAGE_BYTES_MAX = 4_000_000;
/** How often the engine is asked whether it works. A deadlocked engine keeps its sockets open. */
const CHECK_MS = 5_000;

/**
 * The types of events that the program reads. The engine sends only these. Otherwise it would write several more for
 * each call, most of them about variables. The list includes messages about the socket itself, and replies to requests.
 */
const EVENTS = [
  'ApplicationReplaced',
  'ChannelDestroyed',
  'ChannelDtmfReceived',
  'ChannelEnteredBridge',
  'ChannelHold',
  'ChannelLeftBridge',
  'ChannelStateChange',
  'ChannelUnhold',
  'Dial',
  'PlaybackFinished',
  'RESTResponse',
  'RecordingFailed',
  'RecordingFinished',
  'StasisEnd',
  'StasisStart',
] as const;

/** A type of event that the engine sends. */
export type EventType = (typeof EVENTS)[number];

type Reply = { readonly status: number; readonly text: string };

/** Opens the socket of an engine's events. Throws if the engine cannot be reached, or refuses. */
export async function openEventSocket({ client, log, onEvent }: SocketOptions): Promise<EventSocket> {
  const socket = new WebSocket(client.eventsUrl, {
    handshakeTimeout: CONNECT_MS,
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
  });
  const { promise: closed, resolve: end } = Promise.withResolvers<void>();
  const waiting = new Map<string, (reply: Reply | undefined) => void>();
  let lastId = 0;

  const ask = (asked: AriRequest, ms: number): Promise<Reply | undefined> =>
    new Promise((resolve) => {
      if (socket.readyState !== WebSocket.OPEN) return resolve(undefined);
      const id = String(++lastId);
      const answer = (reply: Reply | undefined) => {
        timer.cancel();
        waiting.delete(id);
        resolve(reply);
      };
      const timer = after(ms, () => answer(undefined));
      waiting.set(id, answer);
      socket.send(JSON.stringify(envelope(id, asked)));
    });

  socket.on('message', (data) => {
    const message = parseObject(String(data));
    if (message === undefined) return log.warn({ engine: client.name }, 'the engine sent invalid JSON; ignored');
    if (message['type'] === 'RESTResponse') {
      const reply = { status: Number(valueAt(message, 'status_code')), text: textAt(message, 'message_body') ?? '' };
      return waiting.get(String(message['request_id']))?.(reply);
    }
    // Another socket has requested the events. The engine leaves this socket open, and sends no more events on it.
    if (message['type'] === 'ApplicationReplaced') return socket.terminate();
    if (typeof message['type'] === 'string') onEvent(message as AriEvent);
  });

  const { promise: open, resolve: opened, reject: failed } = Promise.withResolvers<void>();
  socket.on('open', opened);
  socket.on('error', (error) => {
    failed(error);
    socket.terminate();
  });
  const checks = every(CHECK_MS, async () => {
    if (socket.readyState !== WebSocket.OPEN) return;
    const reply = await ask({ method: 'GET', path: '/applications' }, CHECK_MS - 500);
    if (reply === undefined || !hasApplication(reply)) socket.terminate();
  });
  socket.on('close', () => {
    checks.cancel();
    for (const answer of [...waiting.values()]) answer(undefined);
    failed(new Error('the engine closed the socket'));
    end();
  });
  await open;
  const chosen = await ask(CHOICE, CONNECT_MS);
  if (chosen?.status !== 200) {
    socket.terminate();
    throw new Error(`the engine does not take the list of events: ${chosen?.status ?? 'no answer'}`);
  }
  return { ask, closed, close: () => socket.terminate() };
}

const CHOICE: AriRequest = {
  method: 'PUT',
  path: `/applications/${APPLICATION}/eventFilter`,
  body: { allowed: EVENTS.map((type) => ({ type })) },
};

function envelope(id: string, { method, path, query, body }: AriRequest): object {
  return {
    type: 'RESTRequest',
    transaction_id: id,
    request_id: id,
    method,
    uri: `${path.slice(1)}${searchOf(query)}`,
    ...(body !== undefined && { content_type: 'application/json', message_body: JSON.stringify(body) }),
  };
}

/**
 * True if the engine has our application. If the socket that requested the events last closes, the engine loses the
 * application.
 */
function hasApplication({ status, text }: Reply): boolean {
  return listAt(classify(status, text), 'body').some((application) => textAt(application, 'name') === APPLICATION);
}
