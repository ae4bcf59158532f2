/** An Asterisk of its own below the Debian root of these tests, on free ports of loopback. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { renderEngineFiles } from '../../../src/carriers/sip/config/engine-files.ts';
import { DEBIAN_LAYOUT } from '../../../src/carriers/sip/config/layout.ts';
import type { SipSettings } from '../../../src/carriers/sip/config/settings.ts';
import { until } from '../../support/jobs.ts';

const ROOT = '/var/lib/dialplane-sip-root';
export type TestEngine = {
  /** Ends something behind the back of the adapter: a channel, or what it plays. */
  remove(path: string): Promise<void>;
  /** Returns the names of all channels or bridges. */
  list(kind: 'channels' | 'bridges'): Promise<string[]>;
  close(): Promise<void>;
};

/** Starts an engine by the configuration that `carriers setup` writes for the first one of the settings. */
export async function startEngine(settings: SipSettings): Promise<TestEngine> {
  const folder = `/srv/media-test-${process.pid}`;
  for (const name of ['etc', 'keys', 'log', 'run', 'spool/recording', 'var']) {
    await mkdir(`${ROOT}${folder}/${name}`, { recursive: true });
  }
  const [engine] = settings.engines;
  if (engine === undefined) throw new Error('the settings have no engine');
  const files = renderEngineFiles(settings, engine, { ...DEBIAN_LAYOUT, directories: directoriesOf(folder) });
  for (const [name, text] of files) await writeFile(`${ROOT}${folder}/etc/${name}`, text);
  const program = spawn('chroot', [ROOT, 'asterisk', '-C', `${folder}/etc/asterisk.conf`, '-f'], { stdio: 'ignore' });
  const ended = once(program, 'exit');
  const authorization = `Basic ${Buffer.from(`dialplane:${settings.ariPassword}`).toString('base64')}`;
  const remove = async (path: string) => {
    const reply = await fetch(`${engine.url}/ari${path}`, { method: 'DELETE', headers: { authorization } });
    if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  };
  const answers = () => fetch(`${engine.url}/ari/applications`, { headers: { authorization } });
  const doesAnswer = () =>
    answers().then(
      ({ ok }) => ok,
      () => false,
    );
  await until('the engine answers', doesAnswer, 30_000);
  return {
    remove,
    list: async (kind) => {
      const reply = await fetch(`${engine.url}/ari/${kind}`, { headers: { authorization } });
      return ((await reply.json()) as { id: string }[]).map(({ id }) => id);
    },
    close: async () => {
      program.kill('SIGKILL');
      await ended;
      await rm(`${ROOT}${folder}`, { recursive: true });
    },
  };
}

function directoriesOf(folder: string): Readonly<Record<string, string>> {
  return {
    ...{ astetcdir: `${folder}/etc`, astmoddir: '/usr/lib/x86_64-linux-gnu/asterisk/modules' },
    ...{ astvarlibdir: `${folder}/var`, astdbdir: `${folder}/var`, astkeydir: `${folder}/keys` },
    ...{ astdatadir: '/usr/share/asterisk', astagidir: `${folder}/var`, astspooldir: `${folder}/spool` },
    ...{ astrundir: `${folder}/run`, astlogdir: `${folder}/log`, astcachedir: `${folder}/var` },
  };
}
