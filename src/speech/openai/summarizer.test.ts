import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import {
  completion,
  delta,
  events,
  json,
  LEDGER,
  type ModelServer,
  raw,
  status,
  useModelServer,
} from '../../../test/support/model-server.ts';
import { ModelError, type ModelFailure, type SpokenSegment } from '../port.ts';
import { createOpenAiSummarizer, type SummaryLimits } from './summarizer.ts';

const SEGMENTS: SpokenSegment[] = [
  { speaker: 'customer', text: 'Can I come on Monday?' },
  { speaker: 'agent', text: 'Monday at four.' },
];
const QUICK = { retryMinMs: 10, attemptTimeoutMs: 1_000, totalTimeoutMs: 3_000 } as const;

const server = await useModelServer();

type Options = { limits?: Partial<SummaryLimits>; stream?: boolean; segments?: SpokenSegment[] };

function sumUp({ limits = {}, stream = false, segments = SEGMENTS }: Options = {}): Promise<string> {
  const summarizer = createOpenAiSummarizer({ ...server.settings, stream }, { ...QUICK, ...limits });
  closeAfterTests(() => summarizer.close());
  server.requests.length = 0;
  const call = { callRef: 'call_1', direction: 'inbound', durationSeconds: 42 } as const;
  return summarizer.summarize(LEDGER, { segments, call, signal: new AbortController().signal });
}

async function fails(kind: ModelFailure, options?: Options): Promise<void> {
  await assert.rejects(sumUp(options), (error) => error instanceof ModelError && error.kind === kind);
}

test('a transcript is sent with its speakers, and its summary is returned', async () => {
  server.answer(json(completion(' They meet on Monday. ')));
  assert.equal(await sumUp(), 'They meet on Monday.');
  const { path, json: body } = server.requests[0] as ModelServer['requests'][number];
  assert.equal(path, '/v1/chat/completions');
  assert.equal(body.model, 'a-model');
  assert.equal('stream' in body, false);
  assert.deepEqual(
    body.messages.map((message: { role: string }) => message.role),
    ['system', 'user'],
  );
  assert.match(body.messages[1].content, /customer: Can I come on Monday\?\nagent: Monday at four\./);
  assert.match(body.messages[1].content, /42 seconds/);
});

test('a streamed summary is complete', async () => {
  const pieces = ['They ', 'meet ', 'on Mönday.'].map(delta);
  server.answer(events(...pieces, { choices: [{ delta: {}, finish_reason: 'stop' }] }, '[DONE]'));
  assert.equal(await sumUp({ stream: true }), 'They meet on Mönday.');
  assert.equal(server.requests[0]?.json.stream, true);
});

test('a stream without its end marker is complete if its last piece says so', async () => {
  server.answer(events(delta('Monday.'), { choices: [{ delta: {}, finish_reason: 'stop' }] }));
  assert.equal(await sumUp({ stream: true }), 'Monday.');
});

test('a stream that is cut off, or fails midway, is retried', async () => {
  server.answer(
    events(delta('They ')),
    events(delta('They '), { error: { message: 'overloaded' } }),
    events(delta('x')),
  );
  await fails('unavailable', { stream: true });
  assert.equal(server.requests.length, 3);
});

test('a failing server is called three times, a refusing one once', async () => {
  server.answer(status(502));
  await fails('unavailable');
  assert.equal(server.requests.length, 3);
  server.answer(status(401));
  await fails('refused');
  assert.equal(server.requests.length, 1);
});

test('a reply that is not a completion, empty or too long is refused', async () => {
  server.answer(json({ choices: [] }));
  await fails('refused');
  server.answer(json(completion('  ')));
  await fails('refused');
  server.answer(raw('application/json', JSON.stringify(completion('x'.repeat(5_000)))));
  await fails('refused', { limits: { responseBytesMax: 4_000 } });
  server.answer(raw('text/html', '<h1>Bad gateway</h1>'));
  await fails('unavailable');
});

test('a long transcript keeps its start and its end', async () => {
  server.answer(json(completion('Long.')));
  const segments = ['first', ...new Array(500).fill('x'.repeat(50)), 'last'].map((text) => ({
    speaker: 'agent' as const,
    text,
  }));
  await sumUp({ segments, limits: { transcriptCharsMax: 1_000 } });
  const content: string = server.requests[0]?.json?.messages[1].content ?? '';
  assert.ok(content.length < 1_300);
  assert.match(content, /agent: first[\s\S]*agent: last$/);
});

test('a long summary is cut', async () => {
  server.answer(json(completion('y'.repeat(50_000))));
  assert.equal((await sumUp()).length, 2_000);
});
