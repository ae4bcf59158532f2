import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './http-target.ts';
import { killAtExit } from './kill-at-exit.ts';
import { missing } from './programs.ts';

/** A Redis server for one test file, on its own socket. After `pause` it no longer answers, like a hung machine. */
export type TestRedis = {
  url: string;
  pause(): void;
  resume(): void;
  /** Blocks this process until the server has answered all commands that it got before. */
  awaitAnswers(): void;
  stop(): Promise<void>;
};

/** The reason to skip tests that need Redis, or false if it is installed. */
export const noRedis: string | false = missing('redis-server');

export async function startRedis(): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'dialplane-redis-'));
  const path = join(folder, 'redis.sock');
  const args = ['--port', '0', '--unixsocket', path, '--save', '', '--appendonly', 'no', '--dir', folder];
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  killAtExit(child);
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  await until(() => said.includes('ready to accept connections'));
  return {
    url: `unix://${path}`,
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    awaitAnswers: () => void execFileSync('redis-cli', ['-s', path, 'ping']),
    stop: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
