/**
 * The topology of the Helm chart as plain processes behind HAProxy: its replicas of each role, its probe and its stop.
 * Kubernetes replaces the pods of a Deployment with one more that is ready before an old one stops. It stops a gateway
 * of the StatefulSet before it starts the new one.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../../scripts/bootstrap/program.mjs';
import { type CliProcess, startCli } from '../support/cli-process.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { freePort } from '../support/ports.ts';
import type { Site } from '../support/product-process.ts';
import { makeScratch } from '../support/scratch.ts';
import { type Balancer, readProxyFile, startBalancer } from './balancer.ts';
import { type ChartNumbers, type Role, readChartNumbers } from './chart-numbers.ts';

export type Topology = {
  readonly url: string;
  readonly gateways: number;
  /** Replaces each process of a Deployment. */
  rollDeployment(role: 'api' | 'worker'): Promise<void>;
  /** Replaces each gateway. Before a gateway stops, `ready` is awaited. */
  rollGateways(ready: () => Promise<void>): Promise<void>;
};

/** The last start must succeed. */
const STARTS_MAX = 5;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Database connections of each process. Seven processes share the tests' server. */
const CONNECTIONS = '8';

/** Starts everything until the test ends. Resolves when the balancer uses all processes. */
export async function startTopology(t: TestContext, site: Site): Promise<Topology> {
  const numbers = readChartNumbers();
  const { replicas } = numbers;
  const port = await freePort();
  // A Deployment has one process more while it is replaced.
  const ports = {
    api: await freePorts(replicas.api + 1),
    worker: await freePorts(replicas.worker + 1),
    gateway: await freePorts(replicas.gateway),
  };
  const url = `http://127.0.0.1:${port}`;
  const env = { DATABASE_URL: site.databaseUrl, PUBLIC_URL: url };
  const { start, stop } = await prepareProcesses(t, { numbers, ports, env });
  for (const role of ['api', 'worker', 'gateway'] as const) {
    for (let index = 0; index < replicas[role]; index++) await start(role, index);
  }
  const untilUses = usesOf(startBalancer(t, sectionsOf(port, ports, numbers)));
  for (const role of ['api', 'gateway'] as const) await untilUses(role, replicas[role]);
  return {
    url,
    gateways: replicas.gateway,
    rollDeployment: async (role) => {
      for (let old = 0; old < replicas[role]; old++) {
        // The new process takes the free slot, which the old process before this one has left.
        await start(role, (old + replicas[role]) % (replicas[role] + 1));
        await untilUses(role, replicas[role] + 1);
        await stop(role, old);
        await untilUses(role, replicas[role]);
      }
    },
    rollGateways: async (ready) => {
      for (let index = replicas.gateway - 1; index >= 0; index--) {
        await ready();
        await stop('gateway', index);
        await untilUses('gateway', replicas.gateway - 1);
        await start('gateway', index);
        await untilUses('gateway', replicas.gateway);
      }
    },
  };
}

type Plan = {
  readonly numbers: ChartNumbers;
  readonly ports: Readonly<Record<Role, readonly number[]>>;
  readonly env: Readonly<Record<string, string>>;
};

/**
 * Returns the functions that start and stop a role's process at one of its ports, with the settings and times of the
 * chart.
 */
async function prepareProcesses(t: TestContext, { numbers, ports, env }: Plan) {
  const scratch = makeScratch('topology');
  t.after(() => scratch.remove());
  const audio = join(scratch.path, 'audio');
  mkdirSync(audio);
  // The built program starts several times as fast as its source.
  const program = await findProgram(ROOT);
  const running: Record<Role, (CliProcess | undefined)[]> = { api: [], worker: [], gateway: [] };
  t.after(() => {
    for (const each of Object.values(running).flat()) each?.child.kill('SIGKILL');
  });
  const shared = {
    ...{ ...env, DATABASE_CONNECTIONS: CONNECTIONS, DIALPLANE_SECRET: TEST_SECRET, DIALPLANE_DATA: audio },
    ...{ DIALPLANE_RATE_LIMIT: 'off', DIALPLANE_ALLOW_LOCAL_WEBHOOKS: 'on' },
    DIALPLANE_LAME_DUCK_SECONDS: `${numbers.lameDuckSeconds}`,
  };
  const startOnce = async (role: Role, index: number) => {
    const own = { PORT: `${ports[role][index]}` };
    const drain = {
      DIALPLANE_DRAIN_SECONDS: `${numbers.drainSeconds}`,
      GATEWAY_URL: `ws://127.0.0.1:${own.PORT}`,
    };
    const process = startCli({ ...shared, ...own, ...(role === 'gateway' && drain) }, ['--roles', role], program);
    running[role][index] = process;
    await process.ready();
  };
  return {
    // On a busy machine the database may not answer a start in time. Kubernetes starts such a pod again too.
    start: async (role: Role, index: number) => {
      for (let attempt = 1; attempt < STARTS_MAX; attempt++) {
        try {
          return await startOnce(role, index);
        } catch (error) {
          running[role][index]?.child.kill('SIGKILL');
          console.log(`the ${role} is started again: ${error}`);
        }
      }
      await startOnce(role, index);
    },
    stop: async (role: Role, index: number) => {
      const process = running[role][index] as CliProcess;
      const kill = setTimeout(() => process.child.kill('SIGKILL'), numbers.graceSeconds[role] * 1_000);
      const { code } = await process.ended('SIGTERM');
      clearTimeout(kill);
      running[role][index] = undefined;
      assert.equal(code, 0, `the ${role} has not ended within its grace period: ${process.text()}`);
    },
  };
}

/** Workers get no requests, so the balancer does not know them. */
const usesOf = (balancer: Balancer) => async (role: Role, servers: number) => {
  if (role !== 'worker') await balancer.untilUses(role, servers);
};

async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let n = 0; n < count; n++) ports.push(await freePort());
  return ports;
}

/** Audio goes to gateways as in deploy/proxy/haproxy.cfg. The probe is the chart's. Nothing is repeated. */
function sectionsOf(
  port: number,
  ports: Readonly<Record<'api' | 'gateway', readonly number[]>>,
  { readiness }: ChartNumbers,
): string {
  const [isAudio = assert.fail()] = /^ {2}acl is_audio .*$/m.exec(readProxyFile()) ?? [];
  const { path, periodSeconds, failureThreshold } = readiness;
  const backend = (role: 'api' | 'gateway') => `
backend ${role}
  balance roundrobin
  option httpchk GET ${path}
  http-check expect status 200
  default-server inter ${periodSeconds}s fall ${failureThreshold} rise 1
  retries 0
${ports[role].map((each, index) => `  server ${role}-${index} 127.0.0.1:${each} check`).join('\n')}
`;
  return `
frontend in
  bind 127.0.0.1:${port}
${isAudio}
  use_backend gateway if is_audio
  default_backend api
${backend('api')}${backend('gateway')}`;
}
