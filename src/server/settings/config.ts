import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseAddressError, readDatabaseAddress } from '../../db/address.ts';
import type { RedisAddress } from '../../db/redis-sentinels.ts';
import type { OidcSettings } from '../../domain/accounts/index.ts';
import { type Prices, readPrices, STANDARD_PRICES } from '../../domain/billing/index.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import type { BlobSettings } from '../parts/open-blobs.ts';
import type { SpeechSettings } from '../parts/open-speech.ts';
import { type Environment, EnvironmentReader } from './environment-reader.ts';
import { type MetricsSettings, readMetricsSettings } from './metrics-settings.ts';
import { readOidcSettings } from './oidc-settings.ts';
import { readRedisSettings } from './redis-settings.ts';
import { readSpeechSettings } from './speech-settings.ts';

/** The roles that a process can run; all of them by default. */
const ROLES = ['api', 'worker', 'gateway'] as const;
type Role = (typeof ROLES)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

const CONSOLE_USES = ['on', 'built', 'off'] as const;
type ConsoleUse = (typeof CONSOLE_USES)[number];

/** The operator's settings, checked and frozen. `config.example.env` explains each of them. */
export type Config = {
  readonly host: string;
  /** With 0 the system chooses a free port. */
  readonly port: number;
  /** null for the embedded PostgreSQL in `dataFolder`. */
  readonly databaseUrl: string | null;
  /** The most connections of this process's pool. */
  readonly databaseConnections: number;
  /** Absolute path. */
  readonly dataFolder: string;
  /** Storage of recordings and voicemails. */
  readonly blobs: BlobSettings;
  /** Services that transcribe and summarize live calls. */
  readonly speech: SpeechSettings;
  /** The base address for callers. It has no trailing slash and no /v1. */
  readonly publicUrl: string;
  /**
   * True if PUBLIC_URL or PORT is set. If not, a command in another terminal may not know the settings of the server.
   */
  readonly isAddressGiven: boolean;
  /** Base address of the media gateway, ws:// or wss://, without a trailing slash. */
  readonly mediaUrl: string;
  /** The address of this gateway for other gateways. Null means its host name and port. */
  readonly gatewayUrl: string | null;
  /** The Redis that the nodes share; null if there is none. */
  readonly redis: RedisAddress | null;
  /** Null is possible only with the embedded PostgreSQL, which uses the secret of the data folder. */
  readonly secret: string | null;
  readonly allowLocalWebhooks: boolean;
  /** The number of proxies in front of the program that add an address to X-Forwarded-For. */
  readonly trustedProxies: number;
  /** The most open connections of clients, for the process and for one address. */
  readonly clientConnectionsMax: number;
  readonly addressConnectionsMax: number;
  /** How long a stopping process accepts connections while it reports that it is not ready. */
  readonly lameDuckSeconds: number;
  readonly drainSeconds: number;
  readonly metrics: MetricsSettings;
  /** The user that a root process changes to, if the system has it. */
  readonly user: string;
  readonly rateLimit: boolean;
  /** For how many days the request log keeps requests; with 0 it keeps none. */
  readonly requestLogDays: number;
  /** Whether the console is served. In a checkout it also says whether a missing or outdated console is built. */
  readonly console: ConsoleUse;
  /** The identity provider of the console; null if people sign in by links only. */
  readonly oidc: OidcSettings | null;
  readonly logLevel: LogLevel;
  /** Prices of live usage. */
  readonly prices: Prices;
  readonly roles: readonly Role[];
};

/**
 * The environment is not valid. `problems` has a sentence for each problem: the variable, its fault, and the next step.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

const SECRET_CHARS_MIN = 32;
const LAME_DUCK_SECONDS_MAX = 10 * 60;
const CLIENT_CONNECTIONS_MAX = 1_000_000;
/** A worker with fewer than 8 connections would have queues that wait for each other's connections. */
const CONNECTIONS = { fallback: 24, min: 8, max: 500 };
const DRAIN_SECONDS_MAX = 24 * 60 * 60;
const SECRET_HINT = `make one with: node -e "console.log(crypto.randomBytes(32).toString('hex'))"`;

/**
 * Returns the address to listen on. For "localhost" Fastify would open a second listener, without the limits of
 * connections and without the front of the cells.
 */
function addressOf(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host;
}

/**
 * Reads the configuration. No other code of the server reads the environment.
 * @param roles the value of `--roles`; absent for all roles
 * @throws ConfigError with all problems
 */
export function readConfig(env: Environment = process.env, roles: readonly string[] = ROLES): Config {
  const problems: string[] = [];
  const read = new EnvironmentReader(env, problems);
  const port = read.integer('PORT', { fallback: 8080, min: 0, max: 65_535 });
  const databaseUrl = readDatabaseUrl(read, problems);
  const givenUrl = read.url('PUBLIC_URL', ['https:', 'http:']);
  const publicUrl = givenUrl ?? `http://localhost:${port}`;
  const dataFolder = resolve(read.text('DIALPLANE_DATA') ?? '.dialplane');
  const config: Config = {
    host: addressOf(read.text('HOST') ?? '127.0.0.1'),
    port,
    databaseUrl,
    databaseConnections: read.integer('DATABASE_CONNECTIONS', CONNECTIONS),
    dataFolder,
    blobs: readBlobSettings(read, dataFolder, problems),
    speech: readSpeechSettings(read, problems),
    publicUrl: withoutVersion(publicUrl, problems),
    isAddressGiven: givenUrl !== null || (port !== 0 && read.text('PORT') !== undefined),
    mediaUrl: read.url('MEDIA_URL', ['wss:', 'ws:']) ?? publicUrl.replace(/^http/, 'ws'),
    gatewayUrl: read.url('GATEWAY_URL', ['wss:', 'ws:']),
    redis: readRedisSettings(read, problems),
    secret: readSecret(read, databaseUrl !== null, problems),
    allowLocalWebhooks: read.flag('DIALPLANE_ALLOW_LOCAL_WEBHOOKS', databaseUrl === null),
    trustedProxies: read.integer('DIALPLANE_TRUSTED_PROXIES', { fallback: 0, min: 0, max: 10 }),
    clientConnectionsMax: read.integer('DIALPLANE_CONNECTIONS', {
      fallback: 20_000,
      min: 10,
      max: CLIENT_CONNECTIONS_MAX,
    }),
    addressConnectionsMax: read.integer('DIALPLANE_ADDRESS_CONNECTIONS', {
      fallback: 2_000,
      min: 1,
      max: CLIENT_CONNECTIONS_MAX,
    }),
    lameDuckSeconds: read.integer('DIALPLANE_LAME_DUCK_SECONDS', {
      fallback: databaseUrl === null ? 0 : 10,
      min: 0,
      max: LAME_DUCK_SECONDS_MAX,
    }),
    drainSeconds: read.integer('DIALPLANE_DRAIN_SECONDS', { fallback: 1_800, min: 0, max: DRAIN_SECONDS_MAX }),
    metrics: readMetricsSettings(read, problems),
    user: read.text('DIALPLANE_USER') ?? 'dialplane',
    rateLimit: read.flag('DIALPLANE_RATE_LIMIT', true),
    requestLogDays: read.integer('DIALPLANE_REQUEST_LOG_DAYS', { fallback: 7, min: 0, max: 90 }),
    console: read.choice('DIALPLANE_CONSOLE', CONSOLE_USES, 'on'),
    oidc: readOidcSettings(read, problems),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    prices: readPriceFile(read.text('DIALPLANE_PRICES'), problems),
    roles: readRoles(roles, problems),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}

function readDatabaseUrl(read: EnvironmentReader, problems: string[]): string | null {
  const url = read.url('DATABASE_URL', ['postgres:', 'postgresql:']);
  if (url === null) return null;
  try {
    readDatabaseAddress(url);
    return url;
  } catch (error) {
    if (!(error instanceof DatabaseAddressError)) throw error;
    problems.push(`DATABASE_URL cannot be used: ${error.message}`);
    return null;
  }
}

/**
 * Reads DIALPLANE_SECRET as a list. The first secret encrypts; all of them decrypt. So the secret can be replaced while
 * the server runs.
 */
export function secretsOf(secret: string): string[] {
  return secret.split(',').map((part) => part.trim());
}

function readSecret(read: EnvironmentReader, hasDatabaseUrl: boolean, problems: string[]): string | null {
  const secret = read.text('DIALPLANE_SECRET');
  if (secret === undefined) {
    if (hasDatabaseUrl) {
      problems.push(
        `DIALPLANE_SECRET is missing, and a database of your own (DATABASE_URL) needs it to encrypt what it stores: ${SECRET_HINT}, keep it, and give the same one to every node`,
      );
    }
    return null;
  }
  for (const part of secretsOf(secret)) {
    if (part.length < SECRET_CHARS_MIN) {
      problems.push(
        `DIALPLANE_SECRET has ${part.length} characters; it needs at least ${SECRET_CHARS_MIN}: ${SECRET_HINT}`,
      );
    }
  }
  return secret;
}

/** Returns a bucket if S3_BUCKET is set, otherwise a folder. Other bucket settings without S3_BUCKET are a problem. */
function readBlobSettings(read: EnvironmentReader, dataFolder: string, problems: string[]): BlobSettings {
  const folder = read.text('DIALPLANE_BLOBS');
  const bucket = read.text('S3_BUCKET');
  const endpoint = read.url('S3_ENDPOINT', ['https:', 'http:']);
  const region = read.text('S3_REGION');
  const accessKeyId = read.text('S3_ACCESS_KEY_ID');
  const secretAccessKey = read.text('S3_SECRET_ACCESS_KEY');
  const given = {
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
  if (bucket === undefined) {
    for (const [name, value] of Object.entries(given)) {
      if (value) problems.push(`${name} is set, but S3_BUCKET is not: name the bucket, or unset ${name}`);
    }
    return Object.freeze({
      kind: 'folder',
      folder: folder === undefined ? join(dataFolder, 'blobs') : resolve(folder),
    });
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    problems.push(
      `S3_BUCKET is "${bucket}", which is not a bucket name: a name has 3 to 63 lower-case letters, digits, dots and hyphens`,
    );
  }
  for (const [name, value] of Object.entries({
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  })) {
    if (value === undefined) problems.push(`${name} is missing, and the bucket "${bucket}" (S3_BUCKET) needs it`);
  }
  if (folder !== undefined)
    problems.push('DIALPLANE_BLOBS and S3_BUCKET are both set: audio is kept in one place, so unset one');
  const chosenRegion = region ?? 'us-east-1';
  return Object.freeze({
    kind: 's3',
    endpoint: endpoint ?? `https://s3.${chosenRegion}.amazonaws.com`,
    region: chosenRegion,
    bucket,
    accessKeyId: accessKeyId ?? '',
    secretAccessKey: secretAccessKey ?? '',
  });
}

function readPriceFile(path: string | undefined, problems: string[]): Prices {
  if (path === undefined) return STANDARD_PRICES;
  try {
    return readPrices(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const why = reasonOf(error);
    problems.push(
      `DIALPLANE_PRICES is "${path}", which cannot be used: ${why}; docs/billing.md has the form of the file`,
    );
    return STANDARD_PRICES;
  }
}

function readRoles(names: readonly string[], problems: string[]): readonly Role[] {
  const unknown = names.filter((name) => !ROLES.some((role) => role === name));
  if (unknown.length > 0 || names.length === 0) {
    const found = names.length === 0 ? 'is empty' : `does not know ${unknown.map((name) => `"${name}"`).join(', ')}`;
    problems.push(`--roles ${found}: give one or more of ${ROLES.join(', ')}, separated by commas`);
  }
  return Object.freeze(ROLES.filter((role) => names.includes(role)));
}

function withoutVersion(publicUrl: string, problems: string[]): string {
  if (publicUrl.endsWith('/v1')) {
    problems.push(`PUBLIC_URL is "${publicUrl}"; leave out "/v1": the program adds it`);
  }
  return publicUrl;
}
