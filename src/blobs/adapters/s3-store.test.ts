import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { blobConformance, freshKey, readBlob } from '../../../test/support/blob-conformance.ts';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { type HttpTarget, startHttpTarget } from '../../../test/support/http-target.ts';
import { startS3 } from '../../../test/support/s3-server.ts';
import { BlobError, type BlobFailure, type OpenBlobStore } from '../blob-store.ts';
import { openS3Store } from './s3-store.ts';

const WAV = { contentType: 'audio/wav' };
const QUICK = { timeoutMs: 5_000, idleTimeoutMs: 300, attempts: 3, retryDelayMs: 1 };

const s3 = await startS3();
const stores: OpenBlobStore[] = [];
function opened(store: OpenBlobStore): OpenBlobStore {
  stores.push(store);
  return store;
}
after(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await s3.stop();
});

const shared = opened(openS3Store(s3.settings));
// The server of these tests reads the range 0-0 as a range without an end.
blobConformance('a bucket', () => shared, { endMin: 1 });

function isFailure(kind: BlobFailure, message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof BlobError, String(error));
    assert.equal(error.kind, kind);
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /hunter2/);
    return true;
  };
}

describe('a bucket without access', () => {
  test('wrong keys are denied on every operation, and no message contains them', async () => {
    const store = opened(openS3Store({ ...s3.settings, secretAccessKey: 'hunter2' }, QUICK));
    const denied = isFailure('denied', /"dialplane-audio" at http:\/\/127.* status 403/);
    const key = freshKey();
    await assert.rejects(store.put(key, Buffer.of(1), WAV), denied);
    await assert.rejects(store.get(key), denied);
    await assert.rejects(store.size(key), denied);
    await assert.rejects(store.remove(key), denied);
    await assert.rejects(store.check(), denied);
  });

  test('a missing bucket is reported as such, not as a missing blob', async () => {
    const store = opened(openS3Store({ ...s3.settings, bucket: 'other' }, QUICK));
    await assert.rejects(store.put(freshKey(), Buffer.of(1), WAV), isFailure('refused', /NoSuchBucket/));
    await assert.rejects(store.get(freshKey()), isFailure('refused', /NoSuchBucket/));
    await assert.rejects(store.check(), isFailure('refused', /NoSuchBucket/));
  });
});

/** Opens a store on a server that answers the nth request with the nth of `answers`, and all later ones with 200. */
async function onServer(
  answers: readonly ((request: IncomingMessage, response: ServerResponse) => void)[],
  limits = QUICK,
): Promise<{ store: OpenBlobStore; target: HttpTarget }> {
  let next = 0;
  const target = await startHttpTarget((request, response) => {
    const answer = answers[next++];
    if (answer === undefined) response.end('whole');
    else answer(request, response);
  });
  closeAfterTests(() => target.close());
  const settings = { ...s3.settings, endpoint: `${target.origin}/storage/`, secretAccessKey: 'hunter2' };
  return { store: opened(openS3Store(settings, limits)), target };
}

const status = (code: number) => (_request: IncomingMessage, response: ServerResponse) => {
  response.statusCode = code;
  response.end(`<Error><Code>SlowDown</Code></Error>`);
};
const cut = (request: IncomingMessage) => request.socket.destroy();
const never = () => undefined;

describe('an unavailable store', () => {
  test('is retried after a 5xx, a 429, a broken connection or no answer, with the same bytes', async () => {
    for (const answer of [status(503), status(500), status(429), cut, never]) {
      const limits = answer === never ? { ...QUICK, timeoutMs: 1_000 } : QUICK;
      const { store, target } = await onServer([answer, answer], limits);
      await store.put('recordings/rec_1.wav', Buffer.from('bytes'), WAV);
      assert.deepEqual(
        target.requests.map(({ body }) => body),
        ['bytes', 'bytes', 'bytes'],
      );
    }
  });

  test('is reported as unavailable after the last attempt', async () => {
    const { store, target } = await onServer([status(503), status(503), status(503)]);
    const away = isFailure('unavailable', /status 503, SlowDown/);
    await assert.rejects(store.put('a', Buffer.of(1), WAV), away);
    assert.equal(target.requests.length, 3);

    const closed = await onServer([]);
    await closed.target.close();
    await assert.rejects(closed.store.get('a'), isFailure('unavailable', /does not answer/));
  });

  test('a refusal is final', async () => {
    const { store, target } = await onServer([status(400)]);
    await assert.rejects(store.put('a', Buffer.of(1), WAV), isFailure('refused', /status 400/));
    assert.equal(target.requests.length, 1);
  });

  test('a blob whose connection breaks while it is read fails, and is never shorter', async () => {
    for (const breakOff of [(response: ServerResponse) => response.destroy(), never]) {
      const { store } = await onServer([
        (_request, response) => {
          response.writeHead(200, { 'content-length': 1_000 });
          response.write(Buffer.alloc(500), () => breakOff(response));
        },
      ]);
      const blob = await store.get('a');
      await assert.rejects(
        buffer(blob?.stream as NonNullable<typeof blob>['stream']),
        isFailure('unavailable', /ended the answer early/),
      );
    }
  });
});

test('a request has the bucket in its path, its content type, and the hash of its body', async () => {
  const { store, target } = await onServer([]);
  await store.put('recordings/rec_1.wav', Buffer.from('bytes'), WAV);
  const [request] = target.requests;
  assert.equal(request?.path, '/storage/dialplane-audio/recordings/rec_1.wav');
  assert.equal(request?.headers['content-type'], 'audio/wav');
  assert.equal(request?.headers['content-length'], '5');
  assert.match(String(request?.headers.authorization), /^AWS4-HMAC-SHA256 Credential=S3RVER\/\d{8}\/us-east-1\/s3\//);
  assert.equal(
    request?.headers['x-amz-content-sha256'],
    '277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9',
  );
});

test('the first byte can be read alone, and an answer with another part is refused', async () => {
  const part = (range: string) => (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(206, { 'content-range': range });
    response.end('b');
  };
  const wrong = ['bytes 0-9/10', 'bytes 1-1/10', 'bytes */10', ''].map(part);
  const { store } = await onServer([part('bytes 0-0/10'), ...wrong]);
  const first = await store.get('a', { start: 0, end: 0 });
  assert.equal(first?.size, 10);
  assert.equal((await buffer(first.stream)).toString(), 'b');
  for (const _ of wrong) await assert.rejects(store.get('a', { start: 0, end: 0 }));
});

test('a blob of one store is found by another store on the same bucket', async () => {
  const key = freshKey();
  await shared.put(key, Buffer.from('kept'), WAV);
  assert.equal((await readBlob(opened(openS3Store(s3.settings)), key))?.toString(), 'kept');
});
