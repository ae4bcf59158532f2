/** A server on loopback that answers like OpenAI's HTTP API, and has the failures of such servers. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { Ledger } from '../../src/lib/scope.ts';
import { after, monotonicMs } from '../../src/lib/time/time.ts';
import type { ModelServer as ModelServerSettings } from '../../src/speech/openai/model-client.ts';
import { ModelError } from '../../src/speech/port.ts';
import { closeAfterTests } from './close-after-tests.ts';
import type { Json } from './events.ts';

export type SeenModelRequest = {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly atMs: number;
  /** The form of POST /audio/transcriptions. */
  readonly form: FormData | undefined;
  /** The body of POST /chat/completions. */
  readonly json: Json;
};

type Answer = (response: ServerResponse, request: SeenModelRequest) => void;

export type ModelServer = {
  readonly settings: ModelServerSettings;
  readonly requests: SeenModelRequest[];
  /** Sets the answers to the next requests, in order. The last one answers all later requests. */
  answer(...answers: readonly Answer[]): void;
  close(): Promise<void>;
};

export const MODEL_KEY = 'sk-a-key-that-must-not-be-logged';

/** The ledger of the tests that use a model. */
export const LEDGER: Ledger = { ledgerId: 1, accountId: 'acct_1', mode: 'live' };

/** Starts a server for the tests of the file, and closes it after them. */
export async function useModelServer(): Promise<ModelServer> {
  const server = await startModelServer();
  closeAfterTests(() => server.close());
  return server;
}

export async function startModelServer(): Promise<ModelServer> {
  const requests: SeenModelRequest[] = [];
  let answers: Answer[] = [status(500)];
  const server = createServer((request, response) => {
    void readRequest(request).then((seen) => {
      requests.push(seen);
      const answer = (answers.length > 1 ? answers.shift() : answers[0]) as Answer;
      answer(response, seen);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    settings: { url: `http://127.0.0.1:${port}/v1`, key: MODEL_KEY, model: 'a-model', stream: false },
    requests,
    answer: (...next) => {
      answers = [...next];
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<SeenModelRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const contentType = request.headers['content-type'] ?? '';
  const isForm = contentType.startsWith('multipart/form-data');
  return {
    path: request.url ?? '',
    authorization: request.headers.authorization,
    atMs: monotonicMs(),
    form: isForm ? await new Response(body, { headers: { 'content-type': contentType } }).formData() : undefined,
    json: isForm ? undefined : JSON.parse(body.toString('utf8')),
  };
}

/** Returns an answer with a failure. It quotes the key, as such servers do. */
export function status(code: number, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message: `Incorrect API key provided: ${MODEL_KEY}`, code: 'failed' } }));
  };
}

export function json(body: unknown): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
}

export function raw(contentType: string, body: string | Buffer): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': contentType });
    response.end(body);
  };
}

/** Returns an answer of server-sent events, in pieces that do not match the events. */
export function events(...contents: readonly (object | string)[]): Answer {
  const text = contents.map((each) => `data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`).join('');
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    for (let at = 0; at < text.length; at += 7) response.write(text.slice(at, at + 7));
    response.end();
  };
}

/** Reads the request and never answers. */
export const hang: Answer = () => undefined;

/** Starts to answer, and then closes the connection. */
export const cut: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"text": "Hel');
  after(10, () => response.destroy());
};

export const delta = (content: string) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
export const completion = (content: string) => ({
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
});

/** Returns the error of work that must fail. Checks that the error does not contain the key. */
export async function failure(work: Promise<unknown>): Promise<ModelError> {
  const error = await work.then(
    () => assert.fail('it should have failed'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ModelError, inspect(error));
  assert.ok(!inspect(error, { depth: 10 }).includes(MODEL_KEY), 'the key is in the error');
  return error;
}
