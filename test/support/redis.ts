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
  const server = await runRedis(['--port', '0', '--unixsocket', path, '--dir', folder]);
  return {
    url: `unix://${path}`,
    pause: server.pause,
    resume: server.resume,
    awaitAnswers: () => void execFileSync('redis-cli', ['-s', path, 'ping']),
    stop: async () => {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a Redis server that keeps nothing on disk. Resolves when it has said `ready`. */
export async function runRedis(args: readonly string[], ready = 'eady to accept connections') {
  const options = ['--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', [...args, ...options], { stdio: ['ignore', 'pipe', 'ignore'] });
  killAtExit(child);
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  await until(() => said.includes(ready), 15_000);
  return {
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    kill: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
