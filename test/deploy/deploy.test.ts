import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { startCli } from '../support/cli-process.ts';
import { cloneDatabase } from '../support/database.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { missing } from '../support/programs.ts';
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from '../support/receiver-certificate.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deploy-'));
  await mkdir(join(folder, 'certs'));
  await writeFile(join(folder, 'certs', 'phone.example.pem'), RECEIVER_CERTIFICATE + RECEIVER_KEY);
});
after(() => rm(folder, { recursive: true }));

const read = (path: string) => readFile(join(ROOT, path), 'utf8');

/** Writes a copy of a file of `deploy/`, changed by `change`, and returns its path. */
async function copyOf(path: string, change: (text: string) => string): Promise<string> {
  const copy = join(folder, basename(path));
  await writeFile(copy, change(await read(path)));
  return copy;
}

describe('the proxies accept their configuration', () => {
  const certificate = () => join(folder, 'certs', 'phone.example.pem');

  test('HAProxy', { skip: missing('haproxy') }, async () => {
    const path = await copyOf('deploy/proxy/haproxy.cfg', (text) =>
      text.replaceAll('/etc/haproxy/certs/', join(folder, 'certs/')),
    );
    await run('haproxy', ['-c', '-f', path]);
  });

  test('nginx', { skip: missing('nginx') }, async () => {
    const path = await copyOf('deploy/proxy/nginx.conf', (text) =>
      text
        .replace(/\/etc\/nginx\/certs\/phone\.example\.(?:crt|key)/g, certificate())
        .replaceAll('/var/log/nginx/', join(folder, '/')),
    );
    await run('nginx', ['-t', '-c', path, '-g', `pid ${join(folder, 'nginx.pid')};`]);
  });
});

test('systemd accepts the unit', { skip: missing('systemd-analyze') }, async () => {
  const unit = join(folder, 'dialplane@api.service');
  await cp(join(ROOT, 'deploy/systemd/dialplane@.service'), unit);
  const { stderr } = await run('systemd-analyze', ['verify', unit]);
  assert.doesNotMatch(stderr, /dialplane@/);
});

describe('Docker', () => {
  test('the image has all files that a start needs', async () => {
    const image = join(folder, 'image');
    const copied = [...(await read('deploy/docker/Dockerfile')).matchAll(/^COPY (.+) (\S+)$/gm)];
    for (const [, sources = '', target = ''] of copied) {
      for (const source of sources.split(' ')) {
        const to = target === './' ? join(image, source) : join(image, target);
        await cp(join(ROOT, source), to, { recursive: true });
      }
    }
    await symlink(join(ROOT, 'node_modules'), join(image, 'node_modules'));
    const database = await cloneDatabase();
    const env = {
      DATABASE_URL: database.url,
      DIALPLANE_SECRET: TEST_SECRET.padEnd(32),
      DIALPLANE_DATA: join(folder, 'data'),
    };
    const program = startCli(env, [], join(image, 'src/main.ts'));
    try {
      const response = await fetch(`${await program.ready()}/readyz`);
      assert.equal(response.status, 200);
    } finally {
      program.child.kill('SIGKILL');
      await program.ended();
      await database.drop();
    }
  });

  test('Compose sets settings that exist, from variables that the example has', async () => {
    const text = await read('deploy/docker/compose.yml');
    const { services } = parse(text, { merge: true });
    const known = await read('config.example.env');
    for (const name of Object.keys(services.server.environment)) {
      assert.match(known, new RegExp(`^(?:# )?${name}=`, 'm'));
    }
    const example = await read('deploy/docker/example.env');
    for (const [, name] of text.matchAll(/\$\{(\w+)/g)) assert.match(example, new RegExp(`^${name}=`, 'm'));
    for (const [name, { depends_on: needed = {} }] of Object.entries<{ depends_on?: object }>(services)) {
      for (const other of Object.keys(needed)) assert.ok(other in services, `${name} waits for ${other}`);
    }
  });
});
