/** Starts that must fail: each prints one sentence and the next step, and exits with 1. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createWebServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startCli, startHere } from '../../../test/support/cli-process.ts';
import { cloneDatabase } from '../../../test/support/database.ts';
import { TEST_SECRET } from '../../../test/support/harness.ts';
import { makeScratch } from '../../../test/support/scratch.ts';
import { after as schedule } from '../../lib/time/time.ts';

const scratch = makeScratch('refused');
const folder = scratch.path;
const servers: Server[] = [];
const sockets: Socket[] = [];

before(() => writeFileSync(join(folder, 'file'), ''));

after(() => {
  for (const server of servers) server.close();
  for (const socket of sockets) socket.destroy();
  scratch.remove();
});

/** More time than a start takes on a busy machine. */
const ENDS_WITHIN_MS = 60_000;

type Environment = Record<string, string>;

/** Runs a start that must fail, in a separate process. Returns the process's output. */
async function refusal(env: Environment): Promise<string> {
  const program = startCli(env);
  const timer = schedule(ENDS_WITHIN_MS, () => program.child.kill('SIGKILL'));
  const { code, signal } = await program.ended();
  timer.cancel();
  assert.deepEqual([code, signal], [1, null], program.text());
  return sentences(program.text());
}

/**
 * Runs a start that must fail in this process, which is much faster than `refusal`. Each reason has one test that uses
 * `refusal`.
 */
async function refusalHere(env: Environment): Promise<string> {
  const { code, out, err } = await startHere(env);
  assert.equal(code, 1, out + err);
  return sentences(out + err);
}

function sentences(text: string): string {
  assert.doesNotMatch(text, /^\s+at |node:internal|Error:/m);
  return text;
}

for (const [path, problem] of [
  ['/proc/dialplane', 'no folder can be made there'],
  ['/proc/dialplane/install', 'no folder can be made there'],
  [join(folder, 'file'), 'is not a folder'],
  [join(folder, 'file', 'install'), 'part of the path is a file|is not a folder'],
  [join(folder, 'x'.repeat(300)), 'the path is too long'],
] as const) {
  const skip = path.startsWith('/proc') && process.platform !== 'linux';
  test(`DIALPLANE_DATA=${path.slice(0, 60)} is refused at once, in a sentence`, { skip }, async () => {
    const said = await (path.length > 300 ? refusal : refusalHere)({ DIALPLANE_DATA: path });
    assert.match(said, new RegExp(`^DIALPLANE_DATA \\(.*\\).* (${problem})[.;]`, 'm'));
    assert.match(said, /Set DIALPLANE_DATA to a folder/);
  });
}

test('a folder of another owner gets neither other permissions nor files', async () => {
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o755 });
  writeFileSync(join(home, 'letter.txt'), 'Dear all');
  const said = await refusalHere({ DIALPLANE_DATA: home });
  assert.match(said, /holds other files and no installation/);
  assert.deepEqual(readdirSync(home), ['letter.txt']);
  assert.equal(statSync(home).mode & 0o777, 0o755);
});

for (const [host, problem] of [
  ['nowhere.invalid', 'a name that does not resolve'],
  ['203.0.113.7', 'not an address of this machine'],
] as const) {
  for (const port of ['0', '39481']) {
    test(`HOST=${host} PORT=${port} is refused with the way out`, async () => {
      const start = port === '0' ? refusalHere : refusal;
      const said = await start({ HOST: host, PORT: port, DIALPLANE_DATA: join(folder, `install-${port}`) });
      assert.match(said, new RegExp(`^HOST is "${host}", .*${problem}`, 'm'));
      assert.match(said, /Set HOST to .*127\.0\.0\.1/);
    });
  }
}

async function listening(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket) => sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const databaseAt = (url: string) => ({ DATABASE_URL: url, DIALPLANE_SECRET: TEST_SECRET });

test('a port that is not PostgreSQL is reported, with TLS, without, and if it only closes the connection', async () => {
  const web = await listening(createWebServer((_request, response) => response.end('Hello')) as Server);
  const rude = await listening(createServer((socket) => socket.once('data', () => socket.end())));
  for (const address of [`${web}/name`, `${web}/name?sslmode=require`, `${rude}/name`]) {
    const said = await refusalHere(databaseAt(`postgres://me:hush@127.0.0.1:${address}`));
    assert.match(said, /DATABASE_URL \(postgres:\/\/me@127.* does not answer like PostgreSQL\./);
    assert.match(said, /Check that host and port/);
    assert.doesNotMatch(said, /hush/);
  }
});

test('a database where nothing listens is reported without its password', async () => {
  const said = await refusalHere(databaseAt('postgres://me:hush@127.0.0.1:1/none'));
  assert.match(said, /DATABASE_URL .*127\.0\.0\.1:1.* nothing listens there/);
  assert.doesNotMatch(said, /hush/);
});

test('a port of another program is named, with the remedy', async () => {
  const port = await listening(createServer());
  const database = await cloneDatabase();
  const said = await refusalHere({ ...databaseAt(database.url), PORT: String(port) });
  await database.drop();
  assert.match(said, new RegExp(`Another program uses port ${port}\\.`));
  assert.match(said, /Set PORT/);
});

test('a port that never answers does not delay the start', async () => {
  const silent = await listening(createServer(() => undefined));
  assert.match(
    await refusal(databaseAt(`postgres://me:hush@127.0.0.1:${silent}/name`)),
    /cannot be used: it does not answer\./,
  );
});

test('sslmode with a server without TLS is reported', async () => {
  const plain = await listening(createServer((socket) => socket.once('data', () => socket.write('N'))));
  const said = await refusalHere(databaseAt(`postgres://me:hush@127.0.0.1:${plain}/name?sslmode=require`));
  assert.match(said, /does not speak TLS, which sslmode asks for/);
  assert.match(said, /remove sslmode/);
});
