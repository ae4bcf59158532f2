import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { RedisAddress } from '../../src/db/redis-sentinels.ts';
import { freePort } from './ports.ts';
import { cliOf, type RedisProgram, runRedis } from './redis.ts';
import { makeScratch } from './scratch.ts';
import { until } from './until.ts';

const NAME = 'dialplane';
const PASSWORD = 'of the servers';
const SENTINEL_PASSWORD = 'of the Sentinels';
const SENTINELS = 3;
/** The number of Sentinels, of three, that must find the primary unavailable. */
const QUORUM = 2;

/** Starts a primary with a replica, and three Sentinels that watch them, for one test. All require passwords. */
export async function startSentinels(t: TestContext, program: RedisProgram) {
  const scratch = makeScratch('sentinels');
  const running: { kill(): Promise<void> }[] = [];
  t.after(async () => {
    await Promise.all(running.map((server) => server.kill()));
    scratch.remove();
  });
  const start = async (args: readonly string[], ready?: string) => {
    const server = await runRedis(program, args, ready);
    running.push(server);
    return server;
  };
  const startServer = async (more: readonly string[]) => {
    const port = await freePort();
    const passwords = ['--requirepass', PASSWORD, '--masterauth', PASSWORD];
    const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', scratch.path, ...passwords, ...more];
    return { port, ...(await start(args)) };
  };
  const primary = await startServer([]);
  await startServer(['--replicaof', `127.0.0.1 ${primary.port}`]);
  const sentinels: { host: string; port: number }[] = [];
  for (let n = 0; n < SENTINELS; n++) {
    const port = await freePort();
    const config = [
      ...[`port ${port}`, 'bind 127.0.0.1', `dir ${scratch.path}`, `requirepass "${SENTINEL_PASSWORD}"`],
      ...[`sentinel monitor ${NAME} 127.0.0.1 ${primary.port} ${QUORUM}`, `sentinel auth-pass ${NAME} "${PASSWORD}"`],
      ...[`sentinel down-after-milliseconds ${NAME} 500`, `sentinel failover-timeout ${NAME} 3000`],
    ];
    const file = join(scratch.path, `sentinel-${n}.conf`);
    writeFileSync(file, config.join('\n'));
    await start([file, '--sentinel'], 'Sentinel ID is');
    sentinels.push({ host: '127.0.0.1', port });
  }
  const ask = (...words: string[]) => {
    const [{ port } = assert.fail()] = sentinels;
    const env = { ...process.env, REDISCLI_AUTH: SENTINEL_PASSWORD };
    return execFileSync(cliOf(program), ['-p', `${port}`, 'SENTINEL', ...words], { encoding: 'utf8', env });
  };
  // A failover needs the replica and the other Sentinels.
  const knows = () => `${ask('REPLICAS', NAME)}${ask('SENTINELS', NAME)}`.match(/^127\.0\.0\.1:?$/gm)?.length ?? 0;
  await until('the Sentinels know each other and the replica', () => knows() >= SENTINELS, 30_000);
  const address: RedisAddress = {
    url: `redis://:${encodeURIComponent(PASSWORD)}@${NAME}`,
    ...{ sentinels, sentinelPassword: SENTINEL_PASSWORD },
  };
  return {
    primary,
    address,
    untilMoved: () =>
      until(
        'the replica is the primary',
        () => !ask('GET-MASTER-ADDR-BY-NAME', NAME).includes(`${primary.port}`),
        60_000,
      ),
  };
}
