/** The files of deploy/: what they name exists, and they are what they claim to be. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../src/server/config.ts';
import { noProgram, parseYaml, pathOfProject, readProjectFile } from './files.ts';

type Service = { command?: string[]; environment?: Record<string, string>; image?: string; depends_on?: unknown };
type Compose = { services: Record<string, Service> };

const variables = new Set(
  readProjectFile('config.example.env')
    .match(/^#? ?[A-Z][A-Z0-9_]+(?==)/gm)
    ?.map((name) => name.replace(/^# ?/, '')),
);

test('every YAML file is read without an error', () => {
  const files = globSync('**/*.{yml,yaml}', { cwd: pathOfProject('deploy') });
  assert.ok(files.length >= 2);
  for (const file of files) assert.equal(typeof parseYaml(readProjectFile(`deploy/${file}`)), 'object', file);
});

test('Compose sets settings that exist, which start a process, and names its secrets in example.env', () => {
  const text = readProjectFile('deploy/docker/compose.yaml');
  const { services } = parseYaml(text) as Compose;
  const secrets = Object.fromEntries([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [name, 'x'.repeat(64)]));
  const example = readProjectFile('deploy/docker/example.env');
  for (const name of Object.keys(secrets)) assert.match(example, new RegExp(`^${name}=`, 'm'));
  const ours = Object.values(services).filter(({ image }) => image === 'dialplane');
  assert.deepEqual(ours.map(({ command }) => command?.at(-1)).sort(), ['api,worker', 'gateway']);
  for (const { environment = {}, command = [] } of ours) {
    const env = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => {
        assert.ok(variables.has(name), `${name} is no setting`);
        return [name, String(value).replaceAll(/\$\{(\w+)\}/g, (_, secret) => secrets[secret] ?? '')];
      }),
    );
    const { blobs, databaseUrl } = readConfig(
      { ...env, PUBLIC_URL: 'https://phone.example.com' },
      command.at(-1)?.split(','),
    );
    assert.deepEqual([blobs.kind, databaseUrl?.startsWith('postgres://dialplane:')], ['s3', true]);
  }
});

test('the image copies what exists, and starts the program', () => {
  const lines = readProjectFile('deploy/docker/Dockerfile').split('\n');
  const copied = lines.filter((line) => line.startsWith('COPY ')).flatMap((line) => line.split(' ').slice(1, -1));
  for (const path of copied) assert.ok(existsSync(pathOfProject(path)), path);
  const kept = readProjectFile('deploy/docker/Dockerfile.dockerignore');
  for (const path of copied) assert.ok(kept.includes(`!${path.replace('./', '')}`), `${path} is left out of the build`);
  const entry = lines.find((line) => line.startsWith('ENTRYPOINT'))?.replace('ENTRYPOINT ', '') ?? '[]';
  assert.equal((JSON.parse(entry) as string[]).at(-1), '/app/src/main.ts');
  const needed = [...readProjectFile('src/main.ts').matchAll(/from '\.\/(\w+)/g)].length;
  assert.ok(needed > 0);
});

test('Docker accepts the Compose file', { skip: noComposePlugin() }, () => {
  const env = {
    ...process.env,
    POSTGRES_PASSWORD: 'a',
    DIALPLANE_SECRET: 'b',
    S3_SECRET: 'c',
    PUBLIC_URL: 'https://x',
  };
  execFileSync('docker', ['compose', '-f', pathOfProject('deploy/docker/compose.yaml'), 'config', '-q'], { env });
});

function noComposePlugin(): string | false {
  try {
    execFileSync('docker', ['compose', 'version'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'docker compose is not installed here: NOT TESTED';
  }
}

const UNITS = ['deploy/systemd/dialplane.service', 'deploy/systemd/dialplane@.service'];

test('systemd accepts the units', { skip: noProgram('systemd-analyze') }, () => {
  const said = execFileSync('systemd-analyze', ['verify', ...UNITS.map(pathOfProject)], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  assert.equal(said, '');
});

test('the units start the program and give a gateway its drain time', () => {
  const { drainSeconds } = readConfig({});
  for (const unit of UNITS) {
    const text = readProjectFile(unit);
    assert.match(text, /^ExecStart=\/usr\/bin\/env node \/opt\/dialplane\/bin\/dialplane\.mjs start/m);
    const stop = Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1]);
    assert.ok(stop >= drainSeconds + 30, `${unit} stops after ${stop} s`);
  }
  assert.ok(existsSync(pathOfProject('bin/dialplane.mjs')));
});

test('HAProxy accepts the file that leads to the primary database', { skip: noProgram('haproxy') }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'dialplane-haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, readProjectFile('deploy/ha/haproxy.cfg'));
  execFileSync('haproxy', ['-c', '-f', file], { stdio: 'pipe' });
  rmSync(folder, { recursive: true });
});

test('the machines of the database cluster agree: addresses, ports, and times that fit together', () => {
  type Patroni = {
    etcd3: { hosts: string[] };
    bootstrap: { dcs: Record<string, unknown> };
    watchdog: { mode: string };
  };
  const { etcd3, bootstrap, watchdog } = parseYaml(readProjectFile('deploy/ha/patroni.yml')) as Patroni;
  const { ttl, loop_wait, retry_timeout, synchronous_mode } = bootstrap.dcs as Record<string, number | boolean>;
  assert.ok(Number(loop_wait) + 2 * Number(retry_timeout) <= Number(ttl));
  assert.deepEqual([synchronous_mode, watchdog.mode], [true, 'required']);
  const balanced = [...readProjectFile('deploy/ha/haproxy.cfg').matchAll(/^ {2}server \w+ ([\d.]+):5432$/gm)];
  const members = [...readProjectFile('deploy/ha/etcd.env').matchAll(/db\d=http:\/\/([\d.]+):2380/g)];
  const hosts = etcd3.hosts.map((host) => host.replace(':2379', ''));
  assert.deepEqual(
    balanced.map(([, host]) => host),
    hosts,
  );
  assert.deepEqual(
    members.map(([, host]) => host),
    hosts,
  );
});
