/** HAProxy with the sections that a test gives. Its statistics say which servers get requests. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { until } from '../support/jobs.ts';
import { killAtExit } from '../support/kill-at-exit.ts';
import { makeScratch } from '../support/scratch.ts';

export type Balancer = {
  /** Waits until a backend has exactly this number of servers that get requests. */
  untilUses(backend: string, servers: number): Promise<void>;
};

const DEFAULTS = `
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  timeout tunnel 2m
  option http-keep-alive
`;

export const readProxyFile = (): string =>
  readFileSync(new URL('../../deploy/proxy/haproxy.cfg', import.meta.url), 'utf8');

/** Starts HAProxy until the test ends. */
export function startBalancer(t: TestContext, sections: string): Balancer {
  const scratch = makeScratch('balancer');
  t.after(() => scratch.remove());
  const statsSocket = join(scratch.path, 'haproxy.sock');
  const config = join(scratch.path, 'haproxy.cfg');
  writeFileSync(config, `global\n  stats socket ${statsSocket} mode 600\n${DEFAULTS}${sections}`);
  const child = spawn('haproxy', ['-db', '-f', config], { stdio: 'ignore' });
  killAtExit(child);
  t.after(() => child.kill('SIGKILL'));
  const countUp = async (backend: string): Promise<number> => {
    const answer = await text(connect(statsSocket).end('show stat\n'));
    const rows = answer.split('\n').map((row) => row.split(','));
    const status = rows[0]?.indexOf('status') ?? assert.fail();
    const isServer = (name: string | undefined) => name !== 'FRONTEND' && name !== 'BACKEND';
    return rows.filter((row) => row[0] === backend && isServer(row[1]) && row[status] === 'UP').length;
  };
  return {
    // HAProxy uses no server before it has made its socket.
    untilUses: (backend, servers) =>
      until(
        `the balancer uses ${servers} of ${backend}`,
        async () => (await countUp(backend).catch(() => -1)) === servers,
        30_000,
      ),
  };
}
