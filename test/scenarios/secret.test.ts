import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type CliProcess, startCli } from '../support/cli-process.ts';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';

const OLD = 'the secret that this database was first used with';
const NEW = 'the secret that takes its place from now on';

let database: TestDatabase;
const started: CliProcess[] = [];

before(async () => {
  database = await cloneDatabase();
});
after(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await database.drop();
});

function start(secret: string): CliProcess {
  const cli = startCli({ DATABASE_URL: database.url, DIALPLANE_SECRET: secret });
  started.push(cli);
  return cli;
}

test("a process with a secret other than the installation's stops at start with that error; one with both secrets runs", async () => {
  const first = start(OLD);
  await first.ready();
  assert.equal((await first.ended('SIGTERM')).code, 0);

  const other = start(NEW);
  assert.equal((await other.ended()).code, 1);
  assert.match(other.text(), /DIALPLANE_SECRET does not open/);

  const rotating = start(`${NEW},${OLD}`);
  await rotating.ready();
  assert.equal((await rotating.ended('SIGTERM')).code, 0);
});
