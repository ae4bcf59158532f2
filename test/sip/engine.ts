/** A real Asterisk with the configuration that the product writes, on ports of its own. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEngineClient, type EngineClient } from '../../src/carriers/sip/ari-client.ts';
import { renderEngineFiles } from '../../src/carriers/sip/config/engine-files.ts';
import { readSipSettings } from '../../src/carriers/sip/config/settings.ts';
import { listAt } from '../../src/lib/json-object.ts';
import { silentLog, until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';
import { type Jailed, makeJailFolder, startJailed } from './jail.ts';

/** The settings and credentials of a connection, as an operator gives them. */
export type SipConnection = {
  readonly settings: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, string>>;
};

export type TestEngine = {
  /** What the product's connection needs to reach the engine. */
  readonly connection: SipConnection;
  readonly sipPort: number;
  /** Asks the engine, beside the product. */
  readonly client: EngineClient;
  /** Returns the names of its channels. */
  listChannels(): Promise<readonly string[]>;
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
  /** What it has printed. */
  output(): string;
  /** The id of its process. */
  pid(): number;
};

const ARI_PASSWORD = 'password-of-the-tests';
const FOLDERS = ['var', 'spool/recording', 'spool/tmp', 'log', 'run', 'keys', 'cache'];

type EngineOptions = Partial<SipConnection> & {
  readonly name?: string;
  /** Files that are written over the product's. */
  readonly files?: Readonly<Record<string, string>>;
};

/** Starts an engine. `dialplaneUrl` is where it reaches the product. */
export async function startEngine(
  dialplaneUrl: string,
  { name = 'a', settings = {}, credentials = {}, files = {} }: EngineOptions = {},
): Promise<TestEngine> {
  const folder = makeJailFolder();
  const [ariPort, sipPort, tlsPort] = [await freePort(), await freePort(), await freePort()];
  const connection: SipConnection = {
    settings: {
      engines: `${name}=http://127.0.0.1:${ariPort}`,
      dialplane_url: dialplaneUrl,
      ...{ sip_port: String(sipPort), tls_port: String(tlsPort), trunks: '[]' },
      ...settings,
    },
    credentials: { ari_password: ARI_PASSWORD, ...credentials },
  };
  const read = readSipSettings(connection);
  const [engine] = read.engines;
  if (engine === undefined) throw new Error('there is no engine');
  for (const each of ['etc', ...FOLDERS]) mkdirSync(join(folder.outside, each), { recursive: true });
  const at = (path: string) => join(folder.inside, path);
  const layout = {
    keys: at('keys'),
    caFile: '/etc/ssl/certs/ca-certificates.crt',
    directories: {
      ...{ astetcdir: at('etc'), astvarlibdir: at('var'), astdbdir: at('var'), astkeydir: at('var') },
      ...{ astspooldir: at('spool'), astrundir: at('run'), astlogdir: at('log'), astcachedir: at('cache') },
      ...{ astmoddir: '/usr/lib/x86_64-linux-gnu/asterisk/modules', astdatadir: '/usr/share/asterisk' },
    },
  };
  for (const [file, text] of [...renderEngineFiles(read, engine, layout), ...Object.entries(files)])
    writeFileSync(join(folder.outside, 'etc', file), text);
  const client = createEngineClient({ ...engine, password: ARI_PASSWORD, connection: 'tests', log: silentLog });
  let jailed: Jailed | undefined;
  const start = async () => {
    jailed = startJailed('asterisk', ['-C', at('etc/asterisk.conf'), '-f', '-vvv']);
    const isUp = async () => (await client.ask({ method: 'GET', path: '/applications' })).is === 'answered';
    await until(`the engine answers: ${jailed.output()}`, isUp, 30_000);
  };
  const kill = async () => {
    await jailed?.kill();
  };
  await start();
  return {
    ...{ connection, sipPort, client, start, kill, output: () => jailed?.output() ?? '' },
    pid: () => jailed?.process.pid ?? Number.NaN,
    listChannels: async () => {
      const found = await client.ask({ method: 'GET', path: '/channels' });
      if (found.is !== 'answered') throw new Error(`the engine does not say what it has: ${found.is}`);
      return listAt(found.body).map((channel) => String((channel as { name: unknown }).name));
    },
    close: async () => {
      await kill();
      await client.close();
      folder.remove();
    },
  };
}
