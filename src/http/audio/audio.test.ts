/** A test route in the complete app serves files: with a key, with a link, and in parts. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { NO_SESSIONS } from '../../../test/support/no-sessions.ts';
import { openFolderStore } from '../../blobs/adapters/folder-store.ts';
import { BlobError, type BlobStore } from '../../blobs/blob-store.ts';
import type { Context } from '../../context.ts';
import { createCipher } from '../../lib/crypto/cipher.ts';
import { createMetrics } from '../../lib/metrics.ts';
import type { Mode } from '../../lib/scope.ts';
import { visible } from '../../lib/scope.ts';
import { Type } from '../../lib/type.ts';
import { buildApp } from '../edge/app.ts';
import type { KeyDirectory } from '../edge/authenticate.ts';
import { signAudioUrl } from '../edge/signed-links.ts';
import type { Api } from '../edge/types.ts';
import { audioRoute } from './audio.ts';

const BYTES = Buffer.from(Array.from({ length: 1_000 }, (_, i) => i % 251));
const PATH = '/v1/recordings/rec_1/audio';
const ETAG = '"rec_1.wav-1000"';
const KEYS: Record<string, { ledgerId: number; tenantId: string | null; mode: Mode }> = {
  svc_test_one: { ledgerId: 1, tenantId: null, mode: 'test' },
  svc_test_other: { ledgerId: 2, tenantId: null, mode: 'test' },
  svc_test_tenant: { ledgerId: 1, tenantId: 'tnt_1', mode: 'test' },
  svc_test_stranger: { ledgerId: 1, tenantId: 'tnt_2', mode: 'test' },
};
/** The tenant of each recording. */
const ROWS = [
  { id: 'rec_1', ledger_id: 1, tenant_id: 'tnt_1' },
  { id: 'rec_gone', ledger_id: 1, tenant_id: 'tnt_1' },
];

let nowMs = Date.UTC(2026, 10, 20);
let reads = 0;
let isStoreAway = false;
/** Ledgers of suspended accounts. */
const suspended = new Set<number>();
let app: Api;
let context: Context;
let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dialplane-audio-'));
  const store = openFolderStore(folder);
  const away = new BlobError('unavailable', 'the store does not answer');
  const blobs: BlobStore = {
    ...store,
    size: async (key) => (isStoreAway ? Promise.reject(away) : store.size(key)),
    get: (key, range) => {
      reads++;
      return store.get(key, range);
    },
  };
  await blobs.put('recordings/rec_1.wav', BYTES, { contentType: 'audio/wav' });
  const parts: Partial<Context> = {
    settings: { publicUrl: 'http://phone.example', rateLimit: true, trustedProxies: 0 } as Context['settings'],
    clock: { now: () => nowMs },
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
    cipher: createCipher('a secret that is only good for tests'),
    blobs,
  };
  context = parts as Context;
  const keys: KeyDirectory = {
    form: /^svc_test_\w+$/,
    hash: (key) => Buffer.from(key),
    find: async (hash) => {
      const known = KEYS[hash.toString()];
      if (known === undefined) return undefined;
      const { ledgerId, tenantId, mode } = known;
      return {
        key_id: hash.toString(),
        ledger_id: ledgerId,
        tenant_id: tenantId,
        mode,
        account_id: 'acct_1',
        account_status: 'active',
        is_paused: false,
        state: 'active' as const,
        moved_to: null,
        expires_at: null,
      };
    },
    findState: async (ledgerId) => ({ suspended: suspended.has(ledgerId), state: 'active', moved_to: null }),
    onEnded: () => undefined,
  };
  app = await buildApp({
    events: [],
    requestSink: { add: () => undefined },
    context,
    credentials: { keys, sessions: NO_SESSIONS },
    consoleRoutes: [],
    pages: [],
    routes: [
      (api) =>
        audioRoute(api, context, {
          url: '/recordings/:recording_id/audio',
          tag: 'Calls',
          summary: 'Listen to a recording',
          params: Type.Object({ recording_id: Type.String() }),
          notFound: 'not_found',
          find: async (access, { recording_id }) => {
            const row = ROWS.find(({ id, ledger_id }) => id === recording_id && ledger_id === access.ledgerId);
            const { id } = visible(access, row, 'not_found') as (typeof ROWS)[number];
            return { key: `recordings/${id}.wav`, filename: `${id}.wav` };
          },
        }),
    ],
  });
});
after(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const withKey = (key = 'svc_test_one') => ({ authorization: `Bearer ${key}` });

function request(
  headers: Record<string, string>,
  { url = PATH, method = 'GET' }: { url?: string; method?: 'GET' | 'HEAD' } = {},
) {
  // The clock advances by a second for each request, so no request reaches the key's rate limit.
  nowMs += 1_000;
  return app.inject({ method, url, headers });
}

const link = (ledgerId = 1, path = PATH) =>
  signAudioUrl(context, { ledgerId, path }).slice('http://phone.example'.length);

describe('a file', () => {
  test('is served whole, as audio, with its length', async () => {
    const reply = await request(withKey());
    assert.equal(reply.statusCode, 200);
    assert.deepEqual(reply.rawPayload, BYTES);
    assert.equal(reply.headers['content-type'], 'audio/wav');
    assert.equal(reply.headers['content-length'], '1000');
    assert.equal(reply.headers['accept-ranges'], 'bytes');
    assert.equal(reply.headers['content-disposition'], 'inline; filename="rec_1.wav"');
    assert.equal(reply.headers['content-range'], undefined);
    assert.match(String(reply.headers['cache-control']), /^private/);
  });

  test('is served in the requested part', async () => {
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=100-199', 100, 199],
      ['bytes=900-5000', 900, 999],
      ['bytes=44-', 44, 999],
      ['bytes=-10', 990, 999],
    ] as const) {
      const reply = await request({ ...withKey(), range });
      assert.equal(reply.statusCode, 206, range);
      assert.deepEqual(reply.rawPayload, BYTES.subarray(start, end + 1));
      assert.equal(reply.headers['content-range'], `bytes ${start}-${end}/1000`);
      assert.equal(reply.headers['content-length'], String(end - start + 1));
      assert.equal(reply.headers['content-type'], 'audio/wav');
    }
  });

  test('is served whole if the range has another form', async () => {
    for (const range of ['items=0-1', 'bytes=0-1,5-6', 'bytes=9-1', 'bytes=x']) {
      const reply = await request({ ...withKey(), range });
      assert.equal(reply.statusCode, 200, range);
      assert.equal(reply.rawPayload.length, 1_000);
    }
  });

  test('a part beyond the end is 416 with the size, in an error envelope', async () => {
    const reply = await request({ ...withKey(), range: 'bytes=1000-' });
    assert.equal(reply.statusCode, 416);
    assert.equal(reply.headers['content-range'], 'bytes */1000');
    const { error, request_id } = reply.json();
    assert.equal(error.code, 'invalid_range');
    assert.equal(error.param, 'range');
    assert.equal(request_id, reply.headers['request-id']);
  });

  test('a HEAD has the headers of the whole file and reads nothing', async () => {
    const before = reads;
    const reply = await request({ ...withKey(), range: 'bytes=0-1' }, { method: 'HEAD' });
    assert.equal(reply.statusCode, 200);
    assert.equal(reply.headers['content-length'], '1000');
    assert.equal(reply.headers['content-type'], 'audio/wav');
    assert.equal(reply.headers['accept-ranges'], 'bytes');
    assert.equal(reply.rawPayload.length, 0);
    assert.equal(reads, before);
  });

  test('is not sent again to a client that has it; a part is sent only to a client that has the rest of the same file', async () => {
    for (const known of [ETAG, `W/${ETAG}`, `"other", ${ETAG}`, '*']) {
      const reply = await request({ ...withKey(), 'if-none-match': known });
      assert.equal(reply.statusCode, 304, known);
      assert.equal(reply.rawPayload.length, 0);
    }
    assert.equal((await request({ ...withKey(), 'if-none-match': '"other"' })).statusCode, 200);
    const range = 'bytes=0-9';
    assert.equal((await request({ ...withKey(), range: 'bytes=5000-', 'if-none-match': ETAG })).statusCode, 304);
    assert.equal((await request({ ...withKey(), range, 'if-range': ETAG })).statusCode, 206);
    for (const other of ['"other"', `W/${ETAG}`, 'Fri, 20 Nov 2026 00:00:00 GMT']) {
      assert.equal((await request({ ...withKey(), range, 'if-range': other })).statusCode, 200, other);
    }
  });

  test('whose store does not answer is 503 with the time to wait', async () => {
    isStoreAway = true;
    const reply = await request(withKey());
    isStoreAway = false;
    assert.equal(reply.statusCode, 503);
    assert.equal(reply.json().error.code, 'storage_unavailable');
    assert.match(String(reply.headers['retry-after']), /^[1-9]\d*$/);
  });

  test('that is deleted from the store is not found', async () => {
    const reply = await request(withKey(), { url: '/v1/recordings/rec_gone/audio' });
    assert.equal(reply.statusCode, 404);
    assert.equal(reply.json().error.code, 'not_found');
  });
});

describe('access to audio', () => {
  const codeOf = async (headers: Record<string, string>, url = PATH) => {
    const reply = await request(headers, { url });
    return reply.statusCode === 200 ? 200 : `${reply.statusCode} ${reply.json().error.code}`;
  };

  test("a key of the ledger or of the tenant opens it; another ledger's key finds nothing, another tenant's key is refused", async () => {
    assert.equal(await codeOf(withKey('svc_test_one')), 200);
    assert.equal(await codeOf(withKey('svc_test_tenant')), 200);
    assert.equal(await codeOf(withKey('svc_test_other')), '404 not_found');
    assert.equal(await codeOf(withKey('svc_test_stranger')), '403 tenant_restricted_key');
  });

  test('a link opens it without a key, in parts too', async () => {
    assert.equal(await codeOf({}, link()), 200);
    const part = await request({ range: 'bytes=0-9' }, { url: link() });
    assert.equal(part.statusCode, 206);
  });

  test('a link signed in another ledger finds nothing', async () => {
    assert.equal(await codeOf({}, link(2)), '404 not_found');
  });

  test('a link for another file is refused, and so is an expired link', async () => {
    const others = link(1, '/v1/recordings/rec_2/audio').split('?')[1];
    assert.equal(await codeOf({}, `${PATH}?${others}`), '401 invalid_api_key');
    const old = link();
    nowMs += 3_600_000;
    assert.equal(await codeOf({}, old), '401 invalid_api_key');
  });

  test('a link does not open the audio of a suspended account', async () => {
    const url = link();
    suspended.add(1);
    assert.equal(await codeOf({}, url), '403 account_suspended');
    suspended.clear();
    assert.equal(await codeOf({}, url), 200);
  });

  test('an incomplete link is refused as invalid, and a request without credentials as missing a key', async () => {
    const [, query] = link().split('?');
    const params = new URLSearchParams(query);
    assert.equal(await codeOf({}, `${PATH}?signature=${params.get('signature')}`), '401 invalid_api_key');
    assert.equal(await codeOf({}, `${PATH}?expires=${params.get('expires')}`), '401 missing_api_key');
    assert.equal(await codeOf({}), '401 missing_api_key');
    assert.equal(await codeOf({}, `${link()}&signature=x`), '401 invalid_api_key');
  });

  test('a request with a key and a link is judged by its key', async () => {
    assert.equal(await codeOf(withKey('svc_test_nobody'), link()), '401 invalid_api_key');
    assert.equal(await codeOf(withKey('svc_test_other'), link()), '404 not_found');
  });

  test('an unknown parameter is refused', async () => {
    assert.equal(await codeOf(withKey(), `${PATH}?download=1`), '400 invalid_body');
    assert.equal(await codeOf({}, `${link()}&download=1`), '400 invalid_body');
  });

  test('each link has a rate of its own', async () => {
    nowMs += 60_000;
    const url = link();
    const statuses = await Promise.all(Array.from({ length: 61 }, () => app.inject({ method: 'GET', url })));
    assert.equal(statuses.filter(({ statusCode }) => statusCode === 429).length, 1);
    const other = link(1, '/v1/recordings/rec_gone/audio');
    assert.equal((await app.inject({ method: 'GET', url: other })).statusCode, 404);
    assert.equal((await app.inject({ method: 'GET', url: PATH, headers: withKey() })).statusCode, 200);
  });
});
