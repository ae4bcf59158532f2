/** A real Asterisk with the configuration that the product writes, on free ports. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEngineClient, type EngineClient } from '../../src/carriers/sip/ari-client.ts';
import { renderEngineFiles } from '../../src/carriers/sip/config/engine-files.ts';
import { DEBIAN_LAYOUT, type EngineLayout } from '../../src/carriers/sip/config/layout.ts';
import { readSipSettings, type SipSettings } from '../../src/carriers/sip/config/settings.ts';
import { listAt, textAt } from '../../src/lib/json-object.ts';
import { silentLog, until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from '../support/receiver-certificate.ts';
import { type Jailed, type JailFolder, makeJailFolder, startJailed } from './jail.ts';

/** The settings and credentials of a connection, as an operator gives them. */
type SipConnection = {
  readonly settings: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, string>>;
};

type EngineOptions = Partial<SipConnection> & {
  readonly name?: string;
  /** The product's address for the engine; if absent, the engine reaches no product. */
  readonly dialplaneUrl?: string;
  /** Files that replace files of the product, by their names. */
  readonly files?: Readonly<Record<string, string>>;
  /** How long calls wait for a process that is connected to the engine. By default the product's own time. */
  readonly waitsS?: number;
  /** The authority (PEM) for the certificates of providers; the machine's own if absent. */
  readonly authority?: string;
};

export type TestEngine = {
  /** The settings of the product's connection to the engine. */
  readonly connection: SipConnection;
  /** The settings of the connection, as the product reads them. */
  readonly settings: SipSettings;
  readonly sipPort: number;
  /** The folder of the engine, as a path on this machine. */
  readonly folder: string;
  /** Sends requests to the engine without the product. */
  readonly client: EngineClient;
  /** Returns the names of its channels. */
  listChannels(): Promise<readonly string[]>;
  /** Returns the ids of all its channels or bridges. */
  listIds(kind: 'channels' | 'bridges'): Promise<readonly string[]>;
  /** Ends a channel, or a sound on it, without the product. */
  remove(path: string): Promise<void>;
  /**
   * Resolves when the engine has carried audio for this many milliseconds. Time during which the engine or this process
   * stalls does not count.
   */
  carry(ms: number): Promise<void>;
  /**
   * Waits until a telephone no longer hears a sound. A stalled engine sends nothing, which does not count as silence.
   */
  untilUnheard(what: string, hears: () => boolean): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
  /** Runs a command on the console of the engine. The program ends when the engine has carried the command out. */
  command(command: string): Jailed;
  /** The output of the engine. */
  output(): string;
  /** Its log of notices, warnings and errors. */
  readLog(): string;
  /** The id of its process. */
  pid(): number;
};

export const ARI_PASSWORD = 'password-of-the-tests';
const START_MS = 30_000;
const ASKED_MAX = 5;
const CARRY_STEP_MS = 50;
/** Longer than the audio that decides whether a telephone hears a tone. */
const SILENT_MS = 500;
const FOLDERS = ['etc', 'var', 'spool/recording', 'spool/tmp', 'log', 'run', 'keys', 'cache'];
const MODULES = '/usr/lib/x86_64-linux-gnu/asterisk/modules';

/** Starts an engine. Resolves when it answers. */
export async function startEngine(options: EngineOptions = {}): Promise<TestEngine> {
  const connection = await connectionOf(options);
  const settings = readSipSettings(connection);
  const [own] = settings.engines;
  if (own === undefined) throw new Error('the settings have no engine');
  const folder = makeJailFolder();
  const layout = layoutIn(folder, options.authority);
  writeFiles(folder, options.authority, [
    ...renderEngineFiles(settings, own, layout),
    ...Object.entries(options.files ?? {}),
  ]);
  if (options.waitsS !== undefined) letWait(folder, options.waitsS);
  const client = createEngineClient({ ...own, password: ARI_PASSWORD, connection: 'tests', log: silentLog });
  let jailed: Jailed | undefined;
  const start = async () => {
    jailed = startJailed('asterisk', ['-C', join(folder.inside, 'etc/asterisk.conf'), '-f', '-vvv']);
    const isUp = async () => (await client.ask({ method: 'GET', path: '/applications' })).is === 'answered';
    await until(`the engine answers: ${jailed.output()}`, isUp, START_MS);
  };
  const kill = async () => {
    await jailed?.kill();
  };
  const list = async (kind: 'channels' | 'bridges', field: 'id' | 'name') => {
    const ask = () => client.ask({ method: 'GET', path: `/${kind}` });
    let found = await ask();
    // If an engine stalls for some seconds, it does not answer in time.
    for (let asked = 1; found.is !== 'answered' && asked < ASKED_MAX; asked++) found = await ask();
    if (found.is !== 'answered') throw new Error(`the engine does not say what it has: ${found.is}`);
    return listAt(found.body).map((each) => textAt(each, field) ?? '');
  };
  const carry = async (ms: number) => {
    for (let carriedMs = 0; carriedMs < ms; carriedMs += CARRY_STEP_MS) {
      await sleep(CARRY_STEP_MS);
      await list('channels', 'id');
    }
  };
  await start();
  return {
    ...{ connection, settings, sipPort: settings.sipPort, folder: folder.outside, client, start, kill },
    carry,
    untilUnheard: (what, hears) =>
      until(what, async () => {
        if (hears()) return false;
        await carry(SILENT_MS);
        return !hears();
      }),
    listChannels: () => list('channels', 'name'),
    listIds: (kind) => list(kind, 'id'),
    remove: async (path) => {
      const removed = await client.ask({ method: 'DELETE', path });
      if (removed.is !== 'answered') throw new Error(`the engine does not remove ${path}: ${JSON.stringify(removed)}`);
    },
    close: async () => {
      await kill();
      await client.close();
      folder.remove();
    },
    command: (command) => startJailed('asterisk', ['-C', join(folder.inside, 'etc/asterisk.conf'), '-rx', command]),
    output: () => jailed?.output() ?? '',
    readLog: () => readFileSync(join(folder.outside, 'log/messages.log'), 'utf8'),
    pid: () => jailed?.process.pid ?? Number.NaN,
  };
}

/** Makes calls in the dial plan wait for this many seconds. The plan tries four times a second. */
function letWait({ outside }: JailFolder, seconds: number): void {
  const path = join(outside, 'etc/extensions.conf');
  const plan = readFileSync(path, 'utf8');
  const tries = /(?<=tries\} > )\d+/g;
  if (!tries.test(plan)) throw new Error('the calls of the dial plan do not wait');
  writeFileSync(path, plan.replaceAll(tries, String(seconds * 4)));
}

async function connectionOf({
  name = 'a',
  dialplaneUrl = 'http://127.0.0.1:1',
  settings,
  credentials,
}: EngineOptions): Promise<SipConnection> {
  const [ariPort, sipPort, tlsPort] = [await freePort(), await freePort(), await freePort()];
  return {
    settings: {
      engines: `${name}=http://127.0.0.1:${ariPort}`,
      dialplane_url: dialplaneUrl,
      ...{ sip_port: String(sipPort), tls_port: String(tlsPort), trunks: '[]' },
      ...settings,
    },
    credentials: { ari_password: ARI_PASSWORD, ...credentials },
  };
}

/** Returns the places of the engine's files and folders, as paths inside the root. */
function layoutIn({ inside }: JailFolder, authority: string | undefined): EngineLayout {
  const at = (path: string) => join(inside, path);
  return {
    keys: at('keys'),
    caFile: authority === undefined ? DEBIAN_LAYOUT.caFile : at('keys/authority.crt'),
    directories: {
      ...{ astetcdir: at('etc'), astvarlibdir: at('var'), astdbdir: at('var'), astkeydir: at('var') },
      ...{ astspooldir: at('spool'), astrundir: at('run'), astlogdir: at('log'), astcachedir: at('cache') },
      ...{ astmoddir: MODULES, astdatadir: '/usr/share/asterisk' },
    },
  };
}

/** Writes the configuration and a certificate that nobody checks, as `install.sh` does. */
function writeFiles({ outside }: JailFolder, authority: string | undefined, files: readonly [string, string][]): void {
  for (const each of FOLDERS) mkdirSync(join(outside, each), { recursive: true });
  writeFileSync(join(outside, 'keys/sip.crt'), RECEIVER_CERTIFICATE);
  writeFileSync(join(outside, 'keys/sip.key'), RECEIVER_KEY);
  if (authority !== undefined) writeFileSync(join(outside, 'keys/authority.crt'), authority);
  for (const [name, text] of files) writeFileSync(join(outside, 'etc', name), text);
}
