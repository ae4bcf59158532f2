/** An Asterisk that runs with the files of `carriers setup`, below the Debian root of these tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createEngineClient, type EngineClient } from '../../../src/carriers/sip/ari-client.ts';
import { renderEngineFiles } from '../../../src/carriers/sip/config/engine-files.ts';
import { readSipSettings, type SipSettings } from '../../../src/carriers/sip/config/settings.ts';
import { silentLog, until } from '../../support/jobs.ts';
import { freePort } from '../../support/ports.ts';

const ROOT = '/var/lib/dialplane-sip-root';
export const PASSWORD = 'a-long-password';

type RenderedOptions = {
  readonly settings: Readonly<Record<string, string>>;
  /** The passwords of trunks and telephones. */
  readonly passwords?: Readonly<Record<string, string>>;
};

export type RenderedEngine = {
  readonly settings: SipSettings;
  readonly client: EngineClient;
  /** The folder of the engine, as this machine sees it. */
  readonly folder: string;
  /** The log of notices, warnings and errors. */
  readLog(): Promise<string>;
  close(): Promise<void>;
};

let engines = 0;

/** Starts an engine on free ports of loopback. Resolves when it answers. */
export async function startRendered({ settings, passwords = {} }: RenderedOptions): Promise<RenderedEngine> {
  const inside = `/srv/rendered-${process.pid}-${engines++}`;
  const folder = `${ROOT}${inside}`;
  const url = `http://127.0.0.1:${await freePort()}`;
  const [sip_port, tls_port] = [String(await freePort()), String(await freePort())];
  const read = readSipSettings({
    settings: { engines: `a=${url}`, sip_port, tls_port, rtp_ports: '22000-22998', ...settings },
    credentials: { ari_password: PASSWORD, passwords: JSON.stringify(passwords) },
  });
  await writeFiles(read, inside);
  const program = spawn('chroot', [ROOT, 'asterisk', '-C', `${inside}/etc/asterisk.conf`, '-f'], { stdio: 'ignore' });
  const ended = once(program, 'exit');
  const client = createEngineClient({ name: 'a', url, password: PASSWORD, connection: 'ccn_test', log: silentLog });
  const answers = async () => (await client.ask({ method: 'GET', path: '/applications' })).is === 'answered';
  await until('the engine answers', answers, 30_000);
  return {
    ...{ settings: read, client, folder },
    readLog: () => readFile(`${folder}/log/messages.log`, 'utf8'),
    close: async () => {
      await client.close();
      program.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

async function writeFiles(settings: SipSettings, inside: string): Promise<void> {
  for (const name of ['etc', 'keys', 'var', 'spool/recording', 'run', 'log', 'cache']) {
    await mkdir(`${ROOT}${inside}/${name}`, { recursive: true });
  }
  const directories = {
    ...{ astetcdir: `${inside}/etc`, astvarlibdir: `${inside}/var`, astdbdir: `${inside}/var` },
    ...{ astkeydir: `${inside}/keys`, astspooldir: `${inside}/spool`, astrundir: `${inside}/run` },
    ...{ astlogdir: `${inside}/log`, astcachedir: `${inside}/cache` },
  };
  const caFile = '/etc/ssl/certs/ca-certificates.crt';
  const [engine] = settings.engines;
  if (engine === undefined) throw new Error('the settings have no engine');
  for (const [name, text] of renderEngineFiles(settings, engine, { keys: `${inside}/keys`, caFile, directories })) {
    await writeFile(`${ROOT}${inside}/etc/${name}`, text, { mode: 0o600 });
  }
  await makeCertificate(`${ROOT}${inside}/keys`);
}

async function makeCertificate(folder: string): Promise<void> {
  const files = ['-keyout', `${folder}/sip.key`, '-out', `${folder}/sip.crt`];
  const asked = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=engine', ...files];
  const [code] = await once(spawn('openssl', asked, { stdio: 'ignore' }), 'exit');
  if (code !== 0) throw new Error(`openssl ended with ${code}`);
}
