/**
 * Agents of relays, and clients of plain streams, in a separate process. An agent answers a question with a long text,
 * and other words with a short text. It records the time of each message.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

export type AgentRecord = {
  readonly relayId: string;
  readonly type: 'prompt' | 'interrupt' | 'text';
  readonly atMs: number;
  readonly heard?: string;
};
export type AgentOrder =
  | { readonly do: 'report' | 'close' }
  | { readonly do: 'open'; readonly urls: readonly string[] };

/** The tokens of a long answer. The first token is a sentence. */
export const LONG_TEXT = [
  'One two three four five six seven. ',
  'Eight nine ten eleven twelve thirteen fourteen fifteen. ',
  'Sixteen seventeen eighteen nineteen twenty, and so on to the end of it.',
] as const;
/** An agent answers these words of the customer with LONG_TEXT. */
export const QUESTION = 'What comes next?';
const SHORT_TEXT = 'Yes, of course.';

const nowMs = () => performance.timeOrigin + performance.now();

let records: AgentRecord[] = [];
let clients: WebSocket[] = [];

function serve(socket: WebSocket): void {
  let relayId = '';
  const note = (type: AgentRecord['type'], heard?: string) =>
    records.push({ relayId, type, atMs: nowMs(), ...(heard !== undefined && { heard }) });
  const say = (tokens: readonly string[]) => {
    note('text');
    for (const [n, token] of tokens.entries()) {
      socket.send(JSON.stringify({ type: 'text', token, last: n === tokens.length - 1 }));
    }
  };
  socket.on('error', () => socket.terminate());
  socket.on('message', (text) => {
    const message = JSON.parse(String(text));
    if (message.type === 'setup') {
      relayId = message.sessionId;
      say(['Hello.']);
    } else if (message.type === 'interrupt') {
      note('interrupt', message.utteranceUntilInterrupt);
    } else if (message.type === 'prompt') {
      note('prompt');
      say(message.voicePrompt === QUESTION ? LONG_TEXT : [SHORT_TEXT]);
    }
  });
}

async function open(urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    const client = new WebSocket(url, { perMessageDeflate: false });
    client.on('message', () => undefined);
    client.on('error', () => client.terminate());
    await once(client, 'open');
    clients.push(client);
  }
}

if (process.send !== undefined) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  server.on('connection', serve);
  await once(server, 'listening');
  process.on('message', (order: AgentOrder) => {
    if (order.do === 'open') void open(order.urls).then(() => process.send?.('open'));
    else if (order.do === 'report') {
      process.send?.(records);
      records = [];
    } else {
      for (const client of [...clients, ...server.clients]) client.terminate();
      clients = [];
      process.send?.('closed');
    }
  });
  process.on('disconnect', () => process.exit());
  process.send((server.address() as AddressInfo).port);
}
