import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'node:test';
import { until } from './http-target.ts';
import { killAtExit } from './kill-at-exit.ts';
import { missing } from './programs.ts';

/** A Redis server for one test file, on a separate socket. After `pause` it does not answer, like a frozen machine. */
export type TestRedis = {
  url: string;
  pause(): void;
  resume(): void;
  /** Blocks this process until the server has answered all earlier commands. */
  awaitAnswers(): void;
  stop(): Promise<void>;
};

/** The servers that REDIS_URL may name. Tests of Redis run on each installed one. */
const PROGRAMS = ['redis-server', 'valkey-server'] as const;
export type RedisProgram = (typeof PROGRAMS)[number];

/** Declares a group of tests for each server. */
export function describeOnEachRedis(declare: (program: RedisProgram) => void): void {
  for (const program of PROGRAMS) describe(`on ${program}`, { skip: missing(program) }, () => declare(program));
}

/** The client program of a server of this kind. */
export const cliOf = (program: RedisProgram): string => program.replace('-server', '-cli');

export async function startRedis(program: RedisProgram): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'dialplane-redis-'));
  const path = join(folder, 'redis.sock');
  const server = await runRedis(program, ['--port', '0', '--unixsocket', path, '--dir', folder]);
  return {
    url: `unix://${path}`,
    pause: server.pause,
    resume: server.resume,
    awaitAnswers: () => void execFileSync(cliOf(program), ['-s', path, 'ping']),
    stop: async () => {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a Redis server that stores nothing on disk. Resolves when it has reported `ready`. */
export async function runRedis(program: RedisProgram, args: readonly string[], ready = 'eady to accept connections') {
  const options = ['--save', '', '--appendonly', 'no'];
  const child = spawn(program, [...args, ...options], { stdio: ['ignore', 'pipe', 'ignore'] });
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
