import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { useClusters } from '../../../test/support/clusters.ts';
import { countPartner } from '../../../test/support/in-flight.ts';
import { freePort } from '../../../test/support/ports.ts';
import { skip } from '../../../test/support/stepping-time.ts';
import { until } from '../../../test/support/until.ts';
import { isRunning } from './process-identity.ts';
import { openServerLog } from './server-log.ts';

const { root, newFolder, start } = useClusters();
const asRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
/**
 * Returns the server's folder within an install's folder. If root starts the server, it runs as another user and has a
 * separate folder.
 */
const placeOf = (folder: string) => (asRoot ? join(folder, 'postgres') : folder);

async function ask(connectionString: string, text: string): Promise<string> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return String(Object.values((await client.query(text)).rows[0] ?? {})[0]);
  } finally {
    await client.end();
  }
}

type Owner = { child: ChildProcess; connectionString: string; pid: number };

/** Starts another process, which starts the database and runs until it is killed. */
function launch(folder: string, ids: { uid?: number; gid?: number } = {}): ChildProcess {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./start.ts', import.meta.url).href)};
    import { pino } from ${JSON.stringify(import.meta.resolve('pino'))};
    const started = await startEmbeddedPostgres({
      folder: ${JSON.stringify(folder)}, log: pino({ level: 'silent' }), systemFolder: ${JSON.stringify(join(root, 'system'))},
    });
    console.log(JSON.stringify({ connectionString: started.connectionString, pid: started.pid }));
    setInterval(() => {}, 1000);`;
  return spawn(process.execPath, ['--input-type=module', '-e', program], {
    ...ids,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function startElsewhere(folder: string, ids: { uid?: number; gid?: number } = {}): Promise<Owner> {
  const child = launch(folder, ids);
  const ended = once(child, 'exit').then(() => assert.fail('the other process ended before its database was ready'));
  const [line] = await Promise.race([once(child.stdout ?? child, 'data'), ended]);
  ended.catch(() => undefined);
  return { child, ...JSON.parse(String(line)) };
}

/** Tests that can share a cluster use this folder, because making a cluster takes a second of processor time. */
const shared = newFolder();

/** Waits for programs that another process has started. Test time does not advance in the meantime. */
async function untilOthers(what: string, condition: () => boolean): Promise<void> {
  const endCount = countPartner();
  try {
    await until(what, condition, 20_000);
  } finally {
    endCount();
  }
}

test('a database outlives stop and start, with durable settings', async () => {
  const first = await start(shared);
  await ask(first.connectionString, 'create table kept as select 42 as answer');
  await first.stop();
  assert.equal(isRunning(first.pid), false);

  const second = await start(shared);
  assert.equal(await ask(second.connectionString, 'select answer from kept'), '42');
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    assert.equal(await ask(second.connectionString, `show ${setting}`), 'on');
  }
  assert.equal(await ask(second.connectionString, 'show server_encoding'), 'UTF8');
  assert.equal(
    await ask(second.connectionString, 'select datcollate from pg_database where datname = current_database()'),
    'C',
  );
  assert.equal(await ask(second.connectionString, 'show listen_addresses'), '');
  await second.stop();
  assert.match(await second.ended, /code 0/);
});

test('the log of the server quotes nothing that clients sent: no row, value or statement', async () => {
  const started = await start(shared);
  const client = new pg.Client({ connectionString: started.connectionString });
  await client.connect();
  await client.query('create table people (phone text primary key)');
  const insert = () => client.query('insert into people values ($1)', ['+16025550100']);
  await insert();
  await assert.rejects(insert(), { code: '23505' });
  // The message of an error may also quote a value.
  await assert.rejects(client.query('select $1::timestamptz', ['+16025550100']), { code: '22009' });
  await assert.rejects(client.query(`select '+16025550100' from nowhere`), { code: '42P01' });
  await client.end();
  await started.stop();
  const log = readFileSync(join(started.folder, 'postgres.log'), 'utf8');
  assert.match(log, /ready to accept connections/);
  assert.doesNotMatch(log, /1602/);
});

test('a running server rotates its log, and continues in the same file', async () => {
  const started = await start(newFolder(), { logBytesMax: 500 });
  const path = join(started.folder, 'postgres.log');
  const texts = () => [readFileSync(path, 'utf8'), readFileSync(`${path}.1`, 'utf8')];
  // The server logs refused connections, but no errors of statements.
  const connectTo = async (database: string) => {
    const url = new URL(started.connectionString);
    url.pathname = `/${database}`;
    await assert.rejects(ask(url.href, 'select 1'), { code: '3D000' });
  };
  await connectTo('first');
  assert.ok(statSync(path).size > 500);
  await skip(10_000);
  await untilOthers('the log is rotated', () => texts()[0] === '');
  assert.match(texts()[1] ?? '', /"first" does not exist/);
  await connectTo('second');
  await untilOthers('the server writes to the emptied file', () => /"second" does not exist/.test(texts()[0] ?? ''));
  await started.stop();
});

test('a rotation keeps the newest part of the log, and leaves a short log as it is', async () => {
  const placement = { folder: newFolder(), binaries: {} as never, owner: null, becomes: null };
  mkdirSync(placement.folder);
  const log = await openServerLog(placement, 1_000);
  const line = (n: number) => `line ${String(n).padStart(3, '0')} of a long log\n`;
  for (let n = 0; n < 100; n++) writeSync(log.descriptor, line(n));
  await log.rotate();
  writeSync(log.descriptor, line(100));
  const older = readFileSync(`${log.path}.1`, 'utf8');
  assert.equal(older.length, 1_000, 'the newest part is kept');
  assert.ok(older.endsWith(line(99)));
  assert.equal(readFileSync(log.path, 'utf8'), line(100));
  await log.rotate();
  assert.equal(readFileSync(log.path, 'utf8'), line(100), 'a short log stays');
  assert.equal(await log.textFrom(5_000), line(100).trim(), 'a position before the rotation');
  await log.close();
});

test('as root, the database cannot change the files of the install, nor read them', { skip: !asRoot }, async () => {
  const folder = newFolder();
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, 'secret'), 'secret', { mode: 0o600 });
  const database = await start(folder);
  const { uid, gid } = statSync(join(database.folder, 'data'));
  assert.notEqual(uid, 0);
  for (const command of ['cat secret', 'echo other > secret', 'mv secret gone', 'ls .', 'touch new']) {
    const { status } = spawnSync('/bin/sh', ['-c', `cd ${folder} && ${command}`], { uid, gid, stdio: 'ignore' });
    assert.notEqual(status, 0, command);
  }
  assert.equal(readFileSync(join(folder, 'secret'), 'utf8'), 'secret');
  await database.stop();
});

test('as root, the cluster of an earlier version is moved out of the folder of the install', {
  skip: !asRoot,
}, async () => {
  const folder = newFolder();
  const made = await start(folder);
  await ask(made.connectionString, 'create table kept as select 42 as answer');
  await made.stop();
  // Builds the folder of the earlier version: these files are next to the secret, and the folder belongs to the
  // database's user.
  for (const name of ['password', 'postgres.log', 'data']) renameSync(join(made.folder, name), join(folder, name));
  const { uid, gid } = statSync(join(folder, 'data'));
  rmSync(made.folder, { recursive: true });
  chownSync(folder, uid, gid);

  const next = await start(folder);
  assert.equal(next.folder, placeOf(folder));
  assert.equal(await ask(next.connectionString, 'select answer from kept'), '42');
  assert.deepEqual([statSync(folder).uid, statSync(folder).mode & 0o777], [0, 0o710]);
  await next.stop();
});

test('the connection string is a URL whose database can be replaced', async () => {
  const database = await start(shared);
  const url = new URL(database.connectionString);
  url.pathname = '/template1';
  assert.equal(await ask(url.href, 'select current_database()'), 'template1');
  await database.stop();
});

test('the database of a killed program stops in order, and the next start has every commit', async () => {
  const killed = await startElsewhere(shared);
  await ask(killed.connectionString, 'create table by_killed as select 42 as answer');
  killed.child.kill('SIGKILL');
  await untilOthers('the database has ended', () => !isRunning(killed.pid));

  const next = await start(shared);
  assert.equal(await ask(next.connectionString, 'select answer from by_killed'), '42');
  await next.stop();
});

test('a start right after the kill waits for the database that is still stopping', async () => {
  const killed = await startElsewhere(shared);
  await ask(killed.connectionString, 'create table by_stopping as select 42 as answer');
  killed.child.kill('SIGKILL');
  const next = await start(shared);
  assert.notEqual(next.pid, killed.pid);
  assert.equal(await ask(next.connectionString, 'select answer from by_stopping'), '42');
  await next.stop();
});

test('a database that was itself killed starts again with every commit', async () => {
  const first = await start(shared);
  await ask(first.connectionString, 'create table by_server as select 42 as answer');
  process.kill(first.pid, 'SIGKILL');
  assert.equal(await first.ended, 'SIGKILL');
  const next = await start(shared);
  assert.equal(await ask(next.connectionString, 'select answer from by_server'), '42');
  await next.stop();
});

test('a stale pid file with the pid of another program neither stops the start nor harms that program', async () => {
  const first = await start(shared);
  const cluster = join(first.folder, 'data');
  const file = join(cluster, 'postmaster.pid');
  const lines = readFileSync(file, 'utf8').split('\n');
  await first.stop();
  const { uid, gid } = statSync(cluster);
  // PostgreSQL refuses to start while a process of its own user has this pid. So this other program runs as that user.
  const stranger = spawn('sleep', ['60'], { uid, gid, cwd: '/' });
  writeFileSync(file, [`${stranger.pid}`, ...lines.slice(1)].join('\n'));

  const next = await start(shared);
  assert.equal(await ask(next.connectionString, 'select 1'), '1');
  assert.equal(isRunning(stranger.pid ?? 0), true);
  await next.stop();
  stranger.kill();
});

test('an empty pid file, of a server that was killed before it wrote it, does not stop the start', async () => {
  const first = await start(shared);
  const file = join(first.folder, 'data', 'postmaster.pid');
  await first.stop();
  writeFileSync(file, '');
  const next = await start(shared);
  assert.equal(await ask(next.connectionString, 'select 1'), '1');
  await next.stop();
});

test('a first start that was cut short in the middle is repaired', async () => {
  const folder = newFolder();
  const draft = join(placeOf(folder), 'data.new-0123456789ab');
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, 'PG_VERSION'), '18\n');
  const database = await start(folder);
  assert.equal(await ask(database.connectionString, 'select 1'), '1');
  assert.deepEqual(
    readdirSync(database.folder).filter((name) => name.startsWith('data')),
    ['data'],
  );
  await database.stop();
});

test('a first start that is killed at any moment leaves a folder that starts', async () => {
  const isDraft = (name: string) => name.startsWith('data.new-');
  const moments: Record<string, (names: string[]) => boolean> = {
    // The draft may exist so briefly that no check sees it.
    'initdb has begun': (names) => names.some(isDraft) || names.includes('data'),
    'the cluster is complete': (names) => names.includes('data'),
    'the server has begun, and files are being synced': (names) => names.includes('postgres.log'),
    'all files are synced': (names) => names.includes('data') && !names.includes('data.unsynced'),
  };
  for (const [moment, reached] of Object.entries(moments)) {
    const folder = newFolder();
    const place = placeOf(folder);
    mkdirSync(place, { recursive: true });
    const child = launch(folder);
    try {
      await untilOthers(moment, () => reached(readdirSync(place)));
    } finally {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    const database = await start(folder);
    assert.equal(await ask(database.connectionString, 'select 1'), '1', moment);
    assert.deepEqual(readdirSync(place).filter(isDraft), [], moment);
    await database.stop();
  }
});

test('a path that is too long for a socket still gets a socket', async () => {
  const folder = join(newFolder(), 'a'.repeat(120));
  const database = await start(folder);
  assert.equal(await ask(database.connectionString, 'select 1'), '1');
  await database.stop();
});

test('a requested port is served on loopback only, with a password', async () => {
  const database = await start(shared, { port: await freePort() });
  assert.equal(await ask(database.connectionString, 'show listen_addresses'), '127.0.0.1');
  const url = new URL(database.connectionString);
  url.password = 'wrong';
  await assert.rejects(ask(url.href, 'select 1'), { code: '28P01' });
  await database.stop();
});

test('a failed start reports the message of PostgreSQL', async () => {
  await assert.rejects(start(shared, { settings: { shared_buffers: 'plenty' } }), /shared_buffers/);
});

test('as root, a cluster below a closed folder goes to the system folder, with a message, and a new folder gets a new cluster', {
  skip: !asRoot,
}, async () => {
  const closed = newFolder();
  mkdirSync(closed, { mode: 0o700 });
  const said: string[] = [];
  const first = await start(join(closed, 'postgres'), { onProgress: (text) => said.push(text) });
  assert.ok(first.folder.startsWith(join(root, 'system')), first.folder);
  assert.ok(
    said.some((text) => text.includes(first.folder)),
    said.join('\n'),
  );
  assert.notEqual(statSync(join(first.folder, 'data')).uid, 0);
  assert.equal(statSync(first.folder).mode & 0o777, 0o700);
  await ask(first.connectionString, 'create table kept as select 42 as answer');
  await first.stop();

  const second = await start(join(closed, 'postgres'));
  assert.equal(await ask(second.connectionString, 'select answer from kept'), '42');
  await second.stop();

  rmSync(join(closed, 'postgres'), { recursive: true });
  const third = await start(join(closed, 'postgres'));
  assert.equal(await ask(third.connectionString, "select to_regclass('kept') is null"), 'true');
  await third.stop();
});

test('an ordinary user runs the cluster in place', { skip: !asRoot }, async () => {
  const folder = newFolder();
  mkdirSync(folder, { mode: 0o755 });
  const { uid, gid } = { uid: NOBODY, gid: NOBODY };
  chownSync(folder, uid, gid);
  const owner = await startElsewhere(join(folder, 'postgres'), { uid, gid });
  assert.equal(await ask(owner.connectionString, 'select 1'), '1');
  assert.ok(readdirSync(join(folder, 'postgres')).includes('data'));
  owner.child.kill('SIGKILL');
  await untilOthers('the database has ended', () => !isRunning(owner.pid));
});
