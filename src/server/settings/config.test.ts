import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { STANDARD_PRICES } from '../../domain/billing/index.ts';
import { ConfigError, readConfig } from './config.ts';

const SECRET = 'f'.repeat(64);
const BUCKET = { S3_BUCKET: 'audio', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'hunter2' };

function problemsOf(env: Record<string, string>, roles?: readonly string[]): readonly string[] {
  try {
    readConfig(env, roles);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
  return [];
}

const OIDC = {
  DIALPLANE_OIDC_ISSUER: 'https://id.example/',
  DIALPLANE_OIDC_CLIENT_ID: 'phone',
  DIALPLANE_OIDC_CLIENT_SECRET: 'a secret',
};

test('an identity provider has a role claim or none', () => {
  const provider = { issuer: 'https://id.example', clientId: 'phone', clientSecret: 'a secret', roleClaim: null };
  assert.deepEqual(readConfig(OIDC).oidc, provider);
  assert.equal(readConfig({ ...OIDC, DIALPLANE_OIDC_ROLE_CLAIM: 'phone_role' }).oidc?.roleClaim, 'phone_role');
  assert.deepEqual(problemsOf({ ...OIDC, DIALPLANE_OIDC_ISSUER: 'http://localhost:3000' }), []);
});

test('nothing needs to be set', () => {
  assert.deepEqual(readConfig({}), {
    host: '127.0.0.1',
    port: 8080,
    databaseUrl: null,
    databaseConnections: 24,
    dataFolder: resolve('.dialplane'),
    blobs: { kind: 'folder', folder: resolve('.dialplane/blobs') },
    speech: { toText: null, live: null, summary: null, voice: null },
    publicUrl: 'http://localhost:8080',
    isAddressGiven: false,
    mediaUrl: 'ws://localhost:8080',
    gatewayUrl: null,
    redis: null,
    secret: null,
    allowLocalWebhooks: true,
    trustedProxies: 0,
    clientConnectionsMax: 20_000,
    addressConnectionsMax: 2_000,
    lameDuckSeconds: 0,
    drainSeconds: 1_800,
    metrics: { port: 9_464, token: null },
    user: 'dialplane',
    rateLimit: true,
    requestLogDays: 7,
    console: 'on',
    oidc: null,
    logLevel: 'info',
    prices: STANDARD_PRICES,
    roles: ['api', 'worker', 'gateway'],
  });
});

test('every problem is reported at once, each with its variable', () => {
  const env = {
    PORT: '80a',
    DATABASE_URL: 'mysql://db',
    PUBLIC_URL: 'phone.example',
    MEDIA_URL: 'https://phone.example',
    GATEWAY_URL: 'http://10.0.0.1',
    REDIS_URL: 'localhost:6379',
    DIALPLANE_SECRET: 'short',
    DIALPLANE_ALLOW_LOCAL_WEBHOOKS: 'maybe',
    DIALPLANE_LAME_DUCK_SECONDS: '601',
    DIALPLANE_DRAIN_SECONDS: '-1',
    DIALPLANE_METRICS_PORT: 'never',
    DIALPLANE_METRICS_TOKEN: 'short',
    DIALPLANE_RATE_LIMIT: 'less',
    LOG_LEVEL: 'loud',
  };
  const problems = problemsOf(env, ['api', 'cook']);
  for (const name of [...Object.keys(env), '--roles']) {
    assert.equal(problems.filter((problem) => problem.startsWith(`${name} `)).length, 1, name);
  }
});

test('Sentinels are read with their ports; the host of REDIS_URL is a name then', () => {
  const env = { REDIS_URL: 'rediss://:p%40ss@dialplane', REDIS_SENTINEL_PASSWORD: 'watch' };
  const { redis } = readConfig({ ...env, REDIS_SENTINELS: 'redis-1, 10.0.0.12:26380,[fd00::3]:26381' });
  assert.deepEqual(redis, {
    url: 'rediss://:p%40ss@dialplane',
    sentinels: [
      { host: 'redis-1', port: 26_379 },
      { host: '10.0.0.12', port: 26_380 },
      { host: 'fd00::3', port: 26_381 },
    ],
    sentinelPassword: 'watch',
  });
});

for (const list of [
  'redis-1,',
  'redis 1',
  'redis://redis-1',
  'redis-1:0x1',
  'me@redis-1',
  'redis-1/2',
  'a,'.repeat(10),
])
  test(`Sentinels that cannot be read are a problem: ${list}`, () => {
    const [problem, ...others] = problemsOf({ REDIS_URL: 'redis://dialplane', REDIS_SENTINELS: list });
    assert.match(problem ?? '', /^REDIS_SENTINELS is not a list/);
    assert.deepEqual(others, []);
  });

test('a part of the settings of Sentinels is a problem', () => {
  assert.match(problemsOf({ REDIS_SENTINELS: 'redis-1' }).join(), /^REDIS_SENTINELS is set, but REDIS_URL is not/);
  const lone = problemsOf({ REDIS_URL: 'redis://redis-1', REDIS_SENTINEL_PASSWORD: 'watch' }).join();
  assert.match(lone, /^REDIS_SENTINEL_PASSWORD is set, but REDIS_SENTINELS is not/);
});

test("a database of one's own needs a secret, and the message says how to make one", () => {
  const [problem, ...others] = problemsOf({ DATABASE_URL: 'postgres://db/dialplane' });
  assert.match(problem ?? '', /DIALPLANE_SECRET.*randomBytes\(32\)/);
  assert.deepEqual(others, []);
});

for (const password of ['p#ss', '12#ss', 'p/ss', '12/ss', 'p?ss', '12?ss', 'p%E0ss']) {
  test(`a password that should have been percent-encoded (${password}) is not repeated, but told how to be written`, () => {
    const env = { DATABASE_URL: `postgres://me:${password}@db.internal/dialplane`, DIALPLANE_SECRET: SECRET };
    const problems = problemsOf(env);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /^DATABASE_URL .*# is %23/);
    assert.doesNotMatch(problems[0] ?? '', new RegExp(RegExp.escape(password)));
  });
}

test('an address with all that may stand in it is read as it is', () => {
  for (const DATABASE_URL of [
    'postgres://me:p%23%2F%40s@db.internal:6432/dialplane?sslmode=verify-full',
    'postgres://me:p@ss:word@db.internal/dialplane',
    'postgres://db.internal/dialplane?user=me@tenant&password=x',
    'postgres://me@/dialplane?host=/run/postgresql',
  ]) {
    assert.equal(readConfig({ DATABASE_URL, DIALPLANE_SECRET: SECRET }).databaseUrl, DATABASE_URL);
  }
});

test("local webhooks are off by default with a database of one's own", () => {
  const env = { DATABASE_URL: 'postgres://db/dialplane', DIALPLANE_SECRET: SECRET };
  assert.equal(readConfig(env).allowLocalWebhooks, false);
  assert.equal(readConfig({ ...env, DIALPLANE_ALLOW_LOCAL_WEBHOOKS: '1' }).allowLocalWebhooks, true);
});

test('a database may be reached through a socket folder', () => {
  const databaseUrl = 'postgres://dialplane@/dialplane?host=/run/postgresql';
  assert.equal(readConfig({ DATABASE_URL: databaseUrl, DIALPLANE_SECRET: SECRET }).databaseUrl, databaseUrl);
});

test('a password in an address is not repeated in the message', () => {
  const problems = problemsOf({ DATABASE_URL: 'http://dialplane:hunter2@db', DIALPLANE_SECRET: SECRET });
  assert.equal(problems.length, 1);
  assert.doesNotMatch(problems.join(), /hunter2/);
});

test('the media address follows the public one', () => {
  assert.equal(readConfig({ PUBLIC_URL: 'https://phone.example/' }).publicUrl, 'https://phone.example');
  assert.equal(readConfig({ PUBLIC_URL: 'https://phone.example/' }).mediaUrl, 'wss://phone.example');
  assert.equal(readConfig({ MEDIA_URL: 'wss://media.example/' }).mediaUrl, 'wss://media.example');
});

test('a public address with the version in it is refused', () => {
  assert.match(problemsOf({ PUBLIC_URL: 'https://phone.example/v1/' }).join(), /PUBLIC_URL/);
});

test('an empty variable counts as absent', () => {
  assert.deepEqual(readConfig({ PORT: '', DATABASE_URL: ' ', LOG_LEVEL: '' }), readConfig({}));
});

test('roles are kept once each', () => {
  assert.deepEqual(readConfig({}, ['worker', 'api', 'worker']).roles, ['api', 'worker']);
  assert.equal(problemsOf({}, []).length, 1);
});

test('audio is kept beside the database, in a folder of its own, or in a bucket', () => {
  assert.deepEqual(readConfig({ DIALPLANE_DATA: '/srv/phone' }).blobs, { kind: 'folder', folder: '/srv/phone/blobs' });
  const own = { DATABASE_URL: 'postgres://db/dialplane', DIALPLANE_SECRET: SECRET };
  assert.deepEqual(readConfig(own).blobs, { kind: 'folder', folder: resolve('.dialplane/blobs') });
  assert.deepEqual(readConfig({ DIALPLANE_BLOBS: '/mnt/audio' }).blobs, { kind: 'folder', folder: '/mnt/audio' });
  assert.deepEqual(readConfig({ ...BUCKET, S3_REGION: 'eu-central-1' }).blobs, {
    kind: 's3',
    endpoint: 'https://s3.eu-central-1.amazonaws.com',
    region: 'eu-central-1',
    bucket: 'audio',
    accessKeyId: 'id',
    secretAccessKey: 'hunter2',
  });
  const { blobs } = readConfig({ ...BUCKET, S3_ENDPOINT: 'http://minio.internal:9000/' });
  assert.ok(blobs.kind === 's3');
  assert.deepEqual([blobs.endpoint, blobs.region], ['http://minio.internal:9000', 'us-east-1']);
});

test('half a bucket, or two places for audio, are refused with the variable to set', () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ ...BUCKET, S3_SECRET_ACCESS_KEY: '' }, /^S3_SECRET_ACCESS_KEY is missing/],
    [{ ...BUCKET, S3_ACCESS_KEY_ID: '' }, /^S3_ACCESS_KEY_ID is missing/],
    [{ ...BUCKET, S3_BUCKET: 'My Bucket' }, /^S3_BUCKET is "My Bucket"/],
    [{ ...BUCKET, S3_ENDPOINT: 'minio:9000' }, /^S3_ENDPOINT is not an address/],
    [{ ...BUCKET, DIALPLANE_BLOBS: '/mnt/audio' }, /^DIALPLANE_BLOBS and S3_BUCKET are both set/],
    [{ DIALPLANE_OIDC_CLIENT_ID: 'phone' }, /^DIALPLANE_OIDC_CLIENT_ID is set, but DIALPLANE_OIDC_ISSUER is not/],
    [{ DIALPLANE_OIDC_ROLE_CLAIM: 'role' }, /^DIALPLANE_OIDC_ROLE_CLAIM is set, but DIALPLANE_OIDC_ISSUER is not/],
    [{ ...OIDC, DIALPLANE_OIDC_CLIENT_SECRET: '' }, /^DIALPLANE_OIDC_CLIENT_SECRET is missing/],
    [{ ...OIDC, DIALPLANE_OIDC_ISSUER: 'http://id.example' }, /^DIALPLANE_OIDC_ISSUER begins with http/],
    [{ S3_ENDPOINT: 'https://minio' }, /^S3_ENDPOINT is set, but S3_BUCKET is not/],
    [{ S3_SECRET_ACCESS_KEY: 'hunter2' }, /^S3_SECRET_ACCESS_KEY is set, but S3_BUCKET is not/],
  ];
  for (const [env, expected] of cases) {
    const [problem, ...others] = problemsOf(env);
    assert.match(problem ?? '', expected);
    assert.deepEqual(others, []);
    assert.doesNotMatch(problem ?? '', /hunter2/);
  }
});

test('live calls are written down and summed up where servers are named for it', () => {
  const speech = { SPEECH_URL: 'https://api.openai.com/v1/', SPEECH_KEY: 'hunter2' };
  assert.deepEqual(readConfig(speech).speech, {
    toText: { url: 'https://api.openai.com/v1', key: 'hunter2', model: 'whisper-1', stream: false },
    live: null,
    summary: null,
    voice: null,
  });
  const summary = { SUMMARY_URL: 'http://10.0.0.7:8000/v1', SUMMARY_MODEL: 'a-writer', SUMMARY_STREAM: 'on' };
  assert.deepEqual(readConfig({ ...summary, SPEECH_STREAM: 'off' }).speech, {
    toText: null,
    live: null,
    summary: { url: 'http://10.0.0.7:8000/v1', key: null, model: 'a-writer', stream: true },
    voice: null,
  });
});

test('live calls are spoken on by the server that is named for it, with a model and a voice that most servers have', () => {
  const env = { VOICE_URL: 'https://api.openai.com/v1/', VOICE_KEY: 'hunter2' };
  const voice = { url: 'https://api.openai.com/v1', key: 'hunter2', model: 'tts-1', voice: 'alloy' };
  assert.deepEqual(readConfig(env).speech.voice, voice);
  const own = { ...env, VOICE_MODEL: 'kokoro', VOICE_NAME: 'af_sky' };
  assert.deepEqual(readConfig(own).speech.voice, { ...voice, model: 'kokoro', voice: 'af_sky' });
  const many = { ...env, VOICE_NAMES: 'es:maria, de-AT:anna' };
  assert.deepEqual(readConfig(many).speech.voice, { ...voice, voices: { es: 'maria', 'de-at': 'anna' } });
});

test('words are recognised while they are said where a server is named for it', () => {
  const env = { SPEECH_URL: 'https://models/v1', SPEECH_LIVE_URL: 'ws://10.0.0.7:2700/' };
  assert.deepEqual(readConfig(env).speech.live, { url: 'ws://10.0.0.7:2700', language: 'en' });
  const german = readConfig({ ...env, SPEECH_LIVE_LANGUAGE: 'de-AT' }).speech.live;
  assert.deepEqual(german, { url: 'ws://10.0.0.7:2700', language: 'de-AT' });
});

test('half a model server is refused with the variable to set, and no key is told', () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ SPEECH_KEY: 'hunter2' }, /^SPEECH_KEY is set, but SPEECH_URL is not/],
    [{ SUMMARY_MODEL: 'a-writer' }, /^SUMMARY_MODEL is set, but SUMMARY_URL is not/],
    [{ SPEECH_URL: 'speech:8000', SPEECH_KEY: 'hunter2' }, /^SPEECH_URL is not an address/],
    [{ SUMMARY_URL: 'https://models' }, /^SUMMARY_MODEL is missing/],
    [{ SPEECH_URL: 'https://models', SPEECH_KEY: 'hunter2 ü' }, /^SPEECH_KEY has characters/],
    [{ SPEECH_LIVE_URL: 'ws://10.0.0.7:2700' }, /^SPEECH_LIVE_URL is set, but SPEECH_URL is not/],
    [{ SPEECH_LIVE_LANGUAGE: 'de' }, /^SPEECH_LIVE_LANGUAGE is set, but SPEECH_LIVE_URL is not/],
    [{ SPEECH_URL: 'https://m', SPEECH_LIVE_URL: 'http://10.0.0.7' }, /^SPEECH_LIVE_URL is not an address that begins/],
    [
      { SPEECH_URL: 'https://m', SPEECH_LIVE_URL: 'ws://10.0.0.7', SPEECH_LIVE_LANGUAGE: 'German' },
      /^SPEECH_LIVE_LANGUAGE has "German", which is no language/,
    ],
    [{ VOICE_MODEL: 'tts-1' }, /^VOICE_MODEL is set, but VOICE_URL is not/],
    [{ VOICE_NAME: 'alloy' }, /^VOICE_NAME is set, but VOICE_URL is not/],
    [{ VOICE_NAMES: 'es:maria' }, /^VOICE_NAMES is set, but VOICE_URL is not/],
    [{ VOICE_URL: 'https://voice', VOICE_NAMES: 'es:maria, spanish' }, /^VOICE_NAMES has "spanish", which is no/],
    [{ VOICE_URL: 'voice:8000', VOICE_KEY: 'hunter2' }, /^VOICE_URL is not an address/],
  ];
  for (const [env, expected] of cases) {
    const [problem, ...others] = problemsOf(env);
    assert.match(problem ?? '', expected);
    assert.deepEqual(others, []);
    assert.doesNotMatch(problem ?? '', /hunter2/);
  }
});

test('a configuration cannot be changed', () => {
  const config = readConfig({});
  assert.throws(() => Object.assign(config, { port: 1 }), TypeError);
  assert.throws(() => Object.assign(config.roles, { 0: 'worker' }), TypeError);
});

test('the example file explains every variable the program reads, and shows its default', () => {
  const example = readFileSync(new URL('../../../config.example.env', import.meta.url), 'utf8');
  const folder = new URL('.', import.meta.url);
  const readers = readdirSync(folder).filter((file) => /^config\.ts$|-settings\.ts$/.test(file));
  const source = readers.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('');
  const names = new Set(
    [...source.matchAll(/\.(?:text|url|flag|integer|choice)\(\s*'([A-Z0-9_]+)'/g)].map((match) => match[1]),
  );
  const shown = new Map(
    [...example.matchAll(/^(?:# )?([A-Z0-9_]+)=(.*)$/gm)].map((match) => [match[1], match[2] ?? '']),
  );
  assert.deepEqual([...shown.keys()].sort(), [...names].sort());
  const set = Object.fromEntries([...example.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map((match) => [match[1], match[2]]));
  assert.deepEqual({ ...readConfig(set), isAddressGiven: false }, readConfig({}));
});
