import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
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
  test('the linter accepts the Dockerfiles', async () => {
    for (const path of ['deploy/docker/Dockerfile', 'deploy/asterisk/Dockerfile']) {
      assert.deepEqual(validate(await read(path)), [], path);
    }
  });

  test('every container gets a file system that it cannot write, and no capability', async () => {
    const { services } = parse(await read('deploy/docker/compose.yml'), { merge: true });
    for (const name of ['server', 'worker']) {
      const { read_only, cap_drop, security_opt } = services[name];
      assert.deepEqual([read_only, cap_drop, security_opt], [true, ['ALL'], ['no-new-privileges:true']], name);
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
