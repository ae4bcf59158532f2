import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { BlobError } from '../../blobs/blob-store.ts';
import { createConnector } from '../../db/connector.ts';
import type { Database } from '../../db/database.ts';
import { findSealed } from '../../db/installation.ts';
import { findRoute, type Route } from '../../db/pooler.ts';
import { type DatabaseState, pendingMigrations, readDatabaseState } from '../../db/readiness.ts';
import { createCipher } from '../../lib/crypto/cipher.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { PROGRAM, START_PROGRAM } from '../../lib/program.ts';
import { now } from '../../lib/time/time.ts';
import { readSecret } from '../../server/install/data-folder.ts';
import { openSealed } from '../../server/install/sealed-text.ts';
import { openBlobs } from '../../server/parts/open-blobs.ts';
import { type Config, secretsOf } from '../../server/settings/config.ts';
import { findSpeechProgram } from '../../speech/espeak.ts';
import { SHIPPED_VOICE, type ShippedVoice } from '../../speech/shipped/shipped-voice.ts';
import { SpeechError } from '../../speech/speech-error.ts';

/** One finding. `advice` is the next step. Only a `bad` finding prevents the program from working. */
export type Finding = { check: string; state: 'good' | 'note' | 'bad'; found: string; advice?: string };

const NODE_MAJOR_MIN = 26;
const POSTGRES_MIN = 150_000;
/**
 * How many connections a process needs outside its pool: the bus, the renewal of claims, the clock of a test ledger.
 */
const OTHER_CONNECTIONS = 3;
const SKEW_NOTE_MS = 1_000;
const SKEW_BAD_MS = 30_000;
const DISK_BYTES_NOTE = 5e9;
const DISK_BYTES_BAD = 5e8;

export function checkNode(version = process.versions.node): Finding {
  const good = Number(version.split('.')[0]) >= NODE_MAJOR_MIN;
  const advice = `Start through "${START_PROGRAM}" or bin/dialplane.mjs, which bring Node ${NODE_MAJOR_MIN}.`;
  return { check: 'node', state: good ? 'good' : 'bad', found: `Node ${version}`, ...(good ? {} : { advice }) };
}

/**
 * Checks that the secret can decrypt the database's encrypted values. `db` is undefined if the database cannot be
 * reached.
 */
export async function checkSecret(config: Config, db: Database | undefined): Promise<Finding> {
  const check = 'secret';
  const secret = config.secret ?? readSecret(config.dataFolder);
  const place =
    config.secret === null ? 'in the data folder; back it up together with the database' : 'from DIALPLANE_SECRET';
  const sealed = db === undefined ? undefined : await findSealed(db);
  if (sealed === undefined) return { check, state: 'good', found: place };
  if (secret !== undefined && opens(secret, sealed))
    return { check, state: 'good', found: `${place}; it opens the database` };
  return {
    check,
    state: 'bad',
    found: secret === undefined ? 'missing from the data folder' : `${place}; it does not decrypt the stored values`,
    advice: 'Give every process the secret that the database was first used with; restore it from a backup.',
  };
}

function opens(secret: string, sealed: Buffer): boolean {
  try {
    openSealed(createCipher(secretsOf(secret)), sealed);
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds out where an address leads.
 * @throws TransactionPoolerError
 */
export async function readRoute(url: string): Promise<Route> {
  const connector = createConnector(url);
  const client = await connector.connect({ application_name: 'dialplane doctor', connectionTimeoutMillis: 5_000 });
  try {
    return await findRoute(client, connector);
  } finally {
    await client.end();
  }
}

/** Checks that the database server has enough connections for this process. `max` is the server's limit. */
export function checkConnections(route: Route, { databaseConnections }: Config, max: number): Finding {
  const check = 'connections';
  const to = route === 'server' ? 'to the server itself' : 'through a pooler in session mode';
  const found = `${to}; up to ${databaseConnections} of this process, ${max} of the server`;
  if (databaseConnections + OTHER_CONNECTIONS <= max) return { check, state: 'good', found };
  const advice = 'Raise max_connections of the server, or lower DATABASE_CONNECTIONS.';
  return { check, state: 'note', found, advice };
}

/** Checks that Redis answers. Without Redis each node has separate limits, so a failure is only a note. */
export async function checkRedis({ redis }: Pick<Config, 'redis'>): Promise<Finding[]> {
  const check = 'redis';
  if (redis === null) return [];
  const { readRedisVersion } = await import('../../db/redis.ts');
  try {
    return [{ check, state: 'good', found: await readRedisVersion(redis) }];
  } catch (error) {
    const reason = reasonOf(error);
    const advice = 'Check REDIS_URL and the server; until it answers, each process limits separately.';
    return [{ check, state: 'note', found: `REDIS_URL cannot be used: ${reason}`, advice }];
  }
}

export function checkFlags(config: Config): Finding[] {
  const findings: Finding[] = [];
  const { publicUrl } = config;
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(publicUrl).hostname);
  if (config.allowLocalWebhooks && !isLocal) {
    const advice =
      'Set DIALPLANE_ALLOW_LOCAL_WEBHOOKS=off: anyone with a test key could send requests to this machine.';
    findings.push({ check: 'webhooks', state: 'note', found: 'test endpoints may be on loopback', advice });
  } else {
    const found = config.allowLocalWebhooks ? 'test endpoints may be on loopback' : 'public targets only';
    findings.push({ check: 'webhooks', state: 'good', found });
  }
  if (publicUrl.startsWith('http:') && !isLocal) {
    const advice = 'Put TLS in front and set PUBLIC_URL to the https address: otherwise keys are sent unencrypted.';
    findings.push({ check: 'public url', state: 'note', found: publicUrl, advice });
  } else findings.push({ check: 'public url', state: 'good', found: publicUrl });
  if (!config.rateLimit) {
    const advice = 'Unset DIALPLANE_RATE_LIMIT unless you are measuring.';
    findings.push({ check: 'rate limit', state: 'note', found: 'off', advice });
  }
  return findings;
}

/** Checks the free space of the disk that holds the embedded database and the files of this install. */
export async function checkDisk(folder: string): Promise<Finding> {
  const check = 'disk';
  const { bavail, bsize } = await statfsAbove(folder);
  const bytes = bavail * bsize;
  const found = `${(bytes / 1e9).toFixed(1)} GB free at ${folder}`;
  if (bytes > DISK_BYTES_NOTE) return { check, state: 'good', found };
  const state = bytes > DISK_BYTES_BAD ? 'note' : 'bad';
  return { check, state, found, advice: 'Free some space, or move DIALPLANE_DATA: a full disk stops the database.' };
}

/** Checks that recordings and voicemails can be stored. For a bucket it stores a small object and deletes it. */
export async function checkBlobs({ blobs }: Pick<Config, 'blobs'>): Promise<Finding> {
  const check = 'audio';
  const store = openBlobs(blobs);
  try {
    return { check, state: 'good', found: `kept ${await store.check()}` };
  } catch (error) {
    if (!(error instanceof BlobError)) throw error;
    const settings = blobs.kind === 's3' ? 'S3_BUCKET and the other S3 settings' : 'DIALPLANE_BLOBS';
    return {
      check,
      state: 'bad',
      found: error.message,
      advice: `Check ${settings}; docs/operating.md lists what each needs.`,
    };
  } finally {
    await store.close();
  }
}

/**
 * Reports which program speaks on test calls and on live calls. Without espeak-ng, the check lets the voice of
 * Dialplane speak once. Sends no request to a voice server, because each request costs money.
 * @param parts the program to look for, and the voice; for tests
 */
export async function checkSpeech(
  { speech }: Pick<Config, 'speech'>,
  { command, shipped = SHIPPED_VOICE }: { command?: string; shipped?: ShippedVoice } = {},
): Promise<Finding[]> {
  const remote = describeModel(speech.voice, 'live speech');
  const version = await findSpeechProgram(command);
  const problem = version === undefined ? await problemOf(shipped) : undefined;
  if (problem === undefined) {
    const found = version === undefined ? 'spoken in English by the included voice' : `spoken by espeak-ng ${version}`;
    return [{ check: 'speech', state: 'good', found }, remote ?? { check: 'live speech', state: 'good', found }];
  }
  const unheard = 'none: gathers and recorded calls are refused, greetings and announcements are skipped';
  const advice = `Install the packages again, by "npm ci": ${problem}`;
  return [
    { check: 'speech', state: 'note', found: 'tones in place of words', advice },
    remote ?? { check: 'live speech', state: 'note', found: unheard, advice },
  ];
}

/** Returns why the voice cannot speak; undefined if it can. */
async function problemOf(shipped: ShippedVoice): Promise<string | undefined> {
  try {
    await shipped.speak('one');
    return undefined;
  } catch (error) {
    if (error instanceof SpeechError) return error.message;
    throw error;
  }
}

/** Reports which services transcribe and summarize live calls. Sends no request, because each request costs money. */
export function checkModels({ speech }: Pick<Config, 'speech'>): Finding[] {
  const { toText, live, summary } = speech;
  const heard = describeModel(toText, 'live transcription');
  const summed = describeModel(summary, 'live summaries');
  const unheard = 'only the words that the carrier delivers; SPEECH_URL names a server that transcribes';
  const unsummed = 'plain ones, without a model; SUMMARY_URL names a server that writes them';
  return [
    heard ?? { check: 'live transcription', state: 'good', found: unheard },
    ...(live === null || live === undefined ? [] : [describeLive(live)]),
    summed ?? { check: 'live summaries', state: 'good', found: unsummed },
  ];
}

function describeLive({ url, language }: NonNullable<Config['speech']['live']>): Finding {
  const found = `words in ${language} while they are said, at ${new URL(url).host}`;
  return { check: 'live words', state: 'good', found };
}

type NamedServer = Pick<NonNullable<Config['speech']['toText']>, 'url' | 'key' | 'model'>;

function describeModel(server: NamedServer | null, check: string): Finding | undefined {
  if (server === null) return undefined;
  const { protocol, host, hostname } = new URL(server.url);
  const found = `${server.model} at ${host}${server.key === null ? ', without a key' : ''}`;
  const isPrivate = /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[)/.test(hostname);
  if (protocol === 'https:' || isPrivate) return { check, state: 'good', found };
  return { check, state: 'note', found, advice: 'Use https: speech and the key are sent unencrypted.' };
}

/**
 * Reads the free space of the folder. Before the first start, reads that of the nearest folder above it that exists.
 */
async function statfsAbove(folder: string): Promise<StatsFs> {
  try {
    return await statfs(folder);
  } catch (error) {
    if (dirname(folder) === folder) throw error;
    return statfsAbove(dirname(folder));
  }
}

/** @param isServing true while a server of this install runs and so uses the port */
export async function checkPort({ host, port }: Config, isServing: boolean): Promise<Finding> {
  const check = 'port';
  if (isServing) return { check, state: 'good', found: 'a server of this installation is running' };
  const problem = await listenOnce(host, port);
  if (problem === undefined) return { check, state: 'good', found: `${host}:${port} is free` };
  const advice = 'Set PORT to another port, or stop the program that uses it (on Linux: ss -ltnp).';
  return { check, state: 'bad', found: `${host}:${port} cannot be listened on (${problem})`, advice };
}

function listenOnce(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

/** Checks version, migrations and clock of a reachable database. */
export async function checkDatabase(db: Database): Promise<{ findings: Finding[]; connectionsMax: number }> {
  const askedMs = now();
  const state = await readDatabaseState(db);
  const answeredMs = now();
  const findings: Finding[] = [checkServer(state)];
  const pending = await pendingMigrations(db);
  findings.push(
    pending.length === 0
      ? { check: 'migrations', state: 'good', found: 'all applied' }
      : {
          check: 'migrations',
          state: 'note',
          found: `${pending.length} not applied yet: ${pending.join(', ')}`,
          advice: `The next "${PROGRAM} start" applies them.`,
        },
  );
  // Half of the round trip is the uncertainty of this measurement, so it is subtracted.
  const skewMs = Math.max(0, Math.abs(state.now.getTime() - (askedMs + answeredMs) / 2) - (answeredMs - askedMs) / 2);
  return { findings: [...findings, checkSkew(skewMs)], connectionsMax: state.connections_max };
}

function checkServer({ version, version_number, standby }: DatabaseState): Finding {
  if (standby) {
    const advice = 'Use an address that leads to the primary, such as a proxy that asks the servers for their role.';
    return {
      check: 'database',
      state: 'bad',
      found: `PostgreSQL ${version}, a standby, which takes no writes`,
      advice,
    };
  }
  const good = version_number >= POSTGRES_MIN;
  const advice = 'Use PostgreSQL 15 or newer.';
  const found = `PostgreSQL ${version}`;
  return { check: 'database', state: good ? 'good' : 'bad', found, ...(good ? {} : { advice }) };
}

function checkSkew(skewMs: number): Finding {
  const check = 'clock';
  const found = `${Math.round(skewMs)} ms from the database's`;
  if (skewMs <= SKEW_NOTE_MS) return { check, state: 'good', found };
  const advice = 'Run NTP on both machines: tokens, signatures and leases use these clocks.';
  return { check, state: skewMs <= SKEW_BAD_MS ? 'note' : 'bad', found, advice };
}
