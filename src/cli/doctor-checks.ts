import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { BlobError } from '../blobs/blob-store.ts';
import type { Database } from '../db/database.ts';
import { pendingMigrations, readDatabaseState } from '../db/readiness.ts';
import type { Config } from '../server/config.ts';
import { openBlobs } from '../server/open-blobs.ts';
import { findSpeechProgram } from '../speech/espeak.ts';

/** One finding. `advice` is the next step; only a `bad` finding keeps the program from working. */
export type Finding = { check: string; state: 'good' | 'note' | 'bad'; found: string; advice?: string };

const NODE_MAJOR_MIN = 26;
const POSTGRES_MIN = 150_000;
const SKEW_NOTE_MS = 1_000;
const SKEW_BAD_MS = 30_000;
const DISK_BYTES_NOTE = 5e9;
const DISK_BYTES_BAD = 5e8;

export function checkNode(version = process.versions.node): Finding {
  const good = Number(version.split('.')[0]) >= NODE_MAJOR_MIN;
  const advice = `Start through "npm start" or bin/dialplane.mjs, which bring Node ${NODE_MAJOR_MIN}.`;
  return { check: 'node', state: good ? 'good' : 'bad', found: `Node ${version}`, ...(good ? {} : { advice }) };
}

export function checkSecret(config: Config): Finding {
  if (config.secret !== null) return { check: 'secret', state: 'good', found: 'from DIALPLANE_SECRET' };
  return { check: 'secret', state: 'good', found: 'in the data folder; back it up together with the database' };
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

/** Checks that recordings and voicemails can be stored. In a bucket it stores a small object and deletes it. */
export async function checkBlobs({ blobs }: Pick<Config, 'blobs'>): Promise<Finding> {
  const check = 'audio';
  const store = openBlobs(blobs);
  try {
    return { check, state: 'good', found: `kept ${await store.check()}` };
  } catch (error) {
    if (!(error instanceof BlobError)) throw error;
    const settings = blobs.kind === 's3' ? 'S3_BUCKET and the settings beside it' : 'DIALPLANE_BLOBS';
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

/** @param command the program to look for; for tests */
export async function checkSpeech(command?: string): Promise<Finding> {
  const check = 'speech';
  const version = await findSpeechProgram(command);
  if (version !== undefined) return { check, state: 'good', found: `spoken by espeak-ng ${version}` };
  const advice =
    'To hear words in test calls, install espeak-ng: apt-get install espeak-ng, or brew install espeak-ng.';
  return { check, state: 'note', found: 'tones in place of words', advice };
}

/** Reports which services transcribe and summarize live calls. Sends no request, because each costs money. */
export function checkModels({ speech }: Pick<Config, 'speech'>): Finding[] {
  const { toText, summary } = speech;
  const heard = describeModel(toText, 'live transcription');
  const summed = describeModel(summary, 'live summaries');
  const unheard = 'only the words that the carrier delivers; SPEECH_URL names a server that transcribes';
  const unsummed = 'plain ones, without a model; SUMMARY_URL names a server that writes them';
  return [
    heard ?? { check: 'live transcription', state: 'good', found: unheard },
    summed ?? { check: 'live summaries', state: 'good', found: unsummed },
  ];
}

function describeModel(server: Config['speech']['toText'], check: string): Finding | undefined {
  if (server === null) return undefined;
  const { protocol, host, hostname } = new URL(server.url);
  const found = `${server.model} at ${host}${server.key === null ? ', without a key' : ''}`;
  const isPrivate = /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[)/.test(hostname);
  if (protocol === 'https:' || isPrivate) return { check, state: 'good', found };
  return { check, state: 'note', found, advice: 'Use https: speech and the key are sent unencrypted.' };
}

/** Reads the free space of the folder, or before the first start of the folder that will contain it. */
async function statfsAbove(folder: string): Promise<StatsFs> {
  try {
    return await statfs(folder);
  } catch (error) {
    if (dirname(folder) === folder) throw error;
    return statfsAbove(dirname(folder));
  }
}

/** @param isServing true while a server of this install runs, which then uses the port */
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
export async function checkDatabase(db: Database): Promise<Finding[]> {
  const askedMs = Date.now();
  const { version, version_number, now } = await readDatabaseState(db);
  const answeredMs = Date.now();
  const findings: Finding[] = [checkVersion(version, version_number)];
  const pending = await pendingMigrations(db);
  findings.push(
    pending.length === 0
      ? { check: 'migrations', state: 'good', found: 'all applied' }
      : {
          check: 'migrations',
          state: 'note',
          found: `${pending.length} not applied yet: ${pending.join(', ')}`,
          advice: 'The next "dialplane start" applies them.',
        },
  );
  // The answer is half a round trip old, so a smaller difference proves nothing.
  const skewMs = Math.max(0, Math.abs(now.getTime() - (askedMs + answeredMs) / 2) - (answeredMs - askedMs) / 2);
  return [...findings, checkSkew(skewMs)];
}

function checkVersion(version: string, versionNumber: number): Finding {
  const good = versionNumber >= POSTGRES_MIN;
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
