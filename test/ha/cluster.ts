/**
 * Three database machines on one: the files of deploy/ha with 127.0.0.11 to 127.0.0.13 in place of 10.0.0.11 to
 * 10.0.0.13, run by Debian's packages. Linux has all addresses of 127.0.0.0/8, so ports stay as they are.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../support/jobs.ts';

const NODES = ['db1', 'db2', 'db3'] as const;
type NodeName = (typeof NODES)[number];

/** A member as Patroni reports it. */
type Member = { readonly name: NodeName; readonly role: string; readonly state: string; readonly lag?: number };

export type HaCluster = {
  /** Address of the database through HAProxy. */
  readonly url: string;
  /** The version of Patroni. */
  readonly patroni: string;
  primary(): Promise<NodeName>;
  /** Waits until there is a primary with a synchronous standby and every machine takes part. */
  settled(): Promise<void>;
  /** Kills PostgreSQL. With `machine` it also kills Patroni, which stays down until `revive`. */
  kill(node: NodeName, what: 'PostgreSQL' | 'machine'): Promise<void>;
  revive(node: NodeName): void;
  /** Stops every process of a machine, as if the machine hung, until `thaw`. */
  freeze(node: NodeName): void;
  thaw(node: NodeName): void;
  /** Moves the primary in order. */
  switchOver(from: NodeName): Promise<void>;
  close(): Promise<void>;
};

const PASSWORD = 'only-good-for-tests';
const DEPLOY = fileURLToPath(new URL('../../deploy/ha/', import.meta.url));
const PROGRAMS = ['patroni', 'etcd', 'haproxy'] as const;
const SETTLED_WITHIN_MS = 120_000;

/** Why the test cannot run here, or false. */
export const noCluster: string | false = missing();

function missing(): string | false {
  const absent = PROGRAMS.filter((name) => !existsSync(`/usr/bin/${name}`) && !existsSync(`/usr/sbin/${name}`));
  if (globSync('/usr/lib/postgresql/*/bin/postgres').length === 0) absent.push('postgresql' as never);
  return absent.length === 0 ? false : `${absent.join(', ')} not installed here: NOT TESTED (see .ci/ha)`;
}

/** Starts etcd, Patroni on three addresses, and HAProxy; makes the role and the database. */
export async function startCluster(folder: string): Promise<HaCluster> {
  const owner = ownerOfPostgres();
  const children = new Map<string, ChildProcess>();
  const start = (name: string, command: readonly string[], env: Record<string, string> = {}) => {
    const log = openSync(join(folder, `${name}.log`), 'a');
    const [program, ...args] = command as [string, ...string[]];
    const child = spawn(program, args, {
      stdio: ['ignore', log, log],
      env: { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', HOME: folder, ...env },
      ...(owner !== undefined && { uid: owner.uid, gid: owner.gid }),
    });
    children.set(name, child);
    // The programs also end when the test process ends early.
    process.once('exit', () => child.kill('SIGKILL'));
  };
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const files = renderFiles(folder, owner);
  const startPatroni = (node: NodeName) => start(`patroni-${node}`, ['patroni', files.patroni[node]]);
  for (const node of NODES) start(`etcd-${node}`, ['etcd'], files.etcd[node]);
  for (const node of NODES) startPatroni(node);
  start('haproxy', ['haproxy', '-db', '-f', files.haproxy]);

  const members = async (): Promise<readonly Member[]> => {
    for (const node of NODES) {
      const found = await askPatroni(node).catch(() => undefined);
      if (found !== undefined) return found;
    }
    return [];
  };
  const primary = async () => (await members()).find(({ role }) => role === 'leader')?.name;
  const settled = () =>
    until(
      'the cluster has a primary and two standbys, one of them synchronous',
      async () => {
        const all = await members();
        const standbys = all.filter(
          ({ role, state, lag }) => role !== 'leader' && /running|streaming/.test(state) && lag === 0,
        );
        return (
          all.some(({ role, state }) => role === 'leader' && state === 'running') &&
          standbys.length === 2 &&
          all.some(({ role }) => role === 'sync_standby')
        );
      },
      SETTLED_WITHIN_MS,
    );
  await settled();
  const first = (await primary()) as NodeName;
  makeDatabase(addressOf(first));
  return {
    url: `postgres://dialplane:${PASSWORD}@127.0.0.1:5000/dialplane`,
    patroni: await versionOf(first),
    primary: async () => {
      let found: NodeName | undefined;
      await until('there is a primary', async () => {
        found = await primary();
        return found !== undefined;
      });
      return found as NodeName;
    },
    settled,
    kill: async (node, what) => {
      const patroni = children.get(`patroni-${node}`) as ChildProcess;
      if (what === 'machine') await killChild(patroni);
      for (const pid of processesOf(folder, node)) signal(pid, 'SIGKILL');
    },
    revive: startPatroni,
    freeze: (node) => {
      children.get(`patroni-${node}`)?.kill('SIGSTOP');
      for (const pid of processesOf(folder, node)) signal(pid, 'SIGSTOP');
    },
    thaw: (node) => {
      for (const pid of processesOf(folder, node)) signal(pid, 'SIGCONT');
      children.get(`patroni-${node}`)?.kill('SIGCONT');
    },
    switchOver: async (from) => {
      const body = JSON.stringify({ leader: from });
      const reply = await fetch(`http://${addressOf(from)}:8008/switchover`, { method: 'POST', body });
      if (!reply.ok) throw new Error(`no switchover: ${await reply.text()}`);
    },
    close: async () => {
      for (const node of NODES) await killChild(children.get(`patroni-${node}`));
      for (const node of NODES) for (const pid of processesOf(folder, node)) signal(pid, 'SIGKILL');
      for (const child of children.values()) await killChild(child);
    },
  };
}

async function versionOf(node: NodeName): Promise<string> {
  const reply = await fetch(`http://${addressOf(node)}:8008/patroni`);
  return ((await reply.json()) as { patroni: { version: string } }).patroni.version;
}

/** Fails while the machine is down, frozen or slow. */
async function askPatroni(node: NodeName): Promise<readonly Member[]> {
  const reply = await fetch(`http://${addressOf(node)}:8008/cluster`, { signal: AbortSignal.timeout(2_000) });
  return ((await reply.json()) as { members: Member[] }).members;
}

/** The user of the PostgreSQL packages if this process is root, because PostgreSQL refuses to run as root. */
function ownerOfPostgres(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function addressOf(node: NodeName): string {
  return `127.0.0.1${node.slice(2)}`;
}

const dataOf = (folder: string, node: NodeName) => join(folder, `data-${node}`);

/** Writes the files of deploy/ha for this machine; returns their paths, and the environments of etcd. */
function renderFiles(folder: string, owner: { uid: number; gid: number } | undefined) {
  const [binaries = ''] = globSync('/usr/lib/postgresql/*/bin').sort().reverse();
  const read = (name: string) => readFileSync(join(DEPLOY, name), 'utf8').replaceAll('10.0.0.', '127.0.0.');
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
    return path;
  };
  const folderOf = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
    return path;
  };
  const patroniOf = (node: NodeName) =>
    // Replaces the machine's address where it stands alone. The addresses of etcd are in one list, which stays.
    read('patroni.yml')
      .replace('name: db1', `name: ${node}`)
      .replace(/^(\s+(?:listen|connect_address): )127\.0\.0\.11/gm, `$1${addressOf(node)}`)
      .replace(/data_dir: .*/, `data_dir: ${dataOf(folder, node)}`)
      .replace(/bin_dir: .*/, `bin_dir: ${binaries}`)
      .replace(/pgpass: .*/, `pgpass: ${join(folder, `pgpass-${node}`)}`)
      .replace(/unix_socket_directories: .*/, `unix_socket_directories: ${folderOf(`socket-${node}`)}`)
      .replaceAll(/CHANGE-ME-\d/g, PASSWORD)
      // A container has no watchdog.
      .replace('mode: required', 'mode: off');
  const etcdOf = (node: NodeName) => {
    const text = read('etcd.env').replace(/^(ETCD_(?!INITIAL_CLUSTER=).*)127\.0\.0\.11/gm, `$1${addressOf(node)}`);
    const pairs = text
      .split('\n')
      .filter((line) => /^ETCD_/.test(line))
      .map((line) => line.split(/=(.*)/).slice(0, 2));
    return { ...Object.fromEntries(pairs), ETCD_NAME: node, ETCD_DATA_DIR: join(folder, `etcd-${node}`) };
  };
  return {
    patroni: Object.fromEntries(NODES.map((node) => [node, write(`patroni-${node}.yml`, patroniOf(node))])) as Record<
      NodeName,
      string
    >,
    etcd: Object.fromEntries(NODES.map((node) => [node, etcdOf(node)])) as Record<NodeName, Record<string, string>>,
    haproxy: write('haproxy.cfg', read('haproxy.cfg')),
  };
}

function makeDatabase(host: string): void {
  const env = { ...process.env, PGPASSWORD: PASSWORD };
  const ask = (text: string) => execFileSync('psql', ['-h', host, '-U', 'postgres', '-qc', text, 'postgres'], { env });
  ask(`create role dialplane login password '${PASSWORD}'`);
  ask('create database dialplane owner dialplane');
}

/** Returns the pids of PostgreSQL on a machine: the postmaster, found by its folder, and its children. */
function processesOf(folder: string, node: NodeName): number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => describe(Number(name)));
  const roots = all.filter(({ command }) => command.includes(dataOf(folder, node)) && command.includes('postgres'));
  const pids = new Set(roots.filter(({ command }) => !command.includes('patroni')).map(({ pid }) => pid));
  return all.filter(({ pid, parent }) => pids.has(pid) || pids.has(parent)).map(({ pid }) => pid);
}

function describe(pid: number): { pid: number; parent: number; command: string }[] {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const parent = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ')[1]);
    return [{ pid, parent, command }];
  } catch {
    // The process ended before this call.
    return [];
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function killChild(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
