import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { until } from './http-target.ts';
import { killAtExit } from './kill-at-exit.ts';
import { freePort } from './ports.ts';
import { missing } from './programs.ts';
import { makeScratch } from './scratch.ts';

/** The reason to skip tests that need PgBouncer, or false if it is installed. */
export const noPgbouncer: string | false = missing('pgbouncer');

/** Starts PgBouncer in front of a database; `url` leads through it. */
export async function startPgbouncer(
  databaseUrl: string,
  mode: 'session' | 'transaction' | 'statement',
): Promise<{ url: string; stop(): Promise<void> }> {
  const { host, port, user = '', database = '' } = new pg.Client({ connectionString: databaseUrl });
  const scratch = makeScratch('pgbouncer');
  const listenPort = await freePort();
  const file = join(scratch.path, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `${database} = host=${host} port=${port} user=${user}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o644 });
  // PgBouncer refuses to run as root. The owner of the socket's folder can enter that folder.
  const owner = () => execFileSync('id', ['-nu', `${statSync(host).uid}`], { encoding: 'utf8' }).trim();
  const asUser = process.getuid?.() === 0 ? ['-u', owner()] : [];
  const child = spawn('pgbouncer', [...asUser, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  killAtExit(child);
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  await until(() => said.includes('process up') || child.exitCode !== null);
  if (child.exitCode !== null) throw new Error(`pgbouncer has ended: ${said}`);
  return {
    url: `postgres://${user}@127.0.0.1:${listenPort}/${database}`,
    stop: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
      scratch.remove();
    },
  };
}
