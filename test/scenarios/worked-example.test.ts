/**
 * The resource that docs/adding-a-resource.md builds. Its parts, in the places that the page names, are a working
 * resource.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { createAccount } from '../../src/domain/accounts/index.ts';
import { createCaller } from '../support/caller.ts';
import { type CliProcess, startCli } from '../support/cli-process.ts';
import { cloneDatabase } from '../support/database.ts';
import { blocksOf, ROOT } from '../support/doc-pages.ts';
import { silentLog } from '../support/jobs.ts';
import { expectStatus } from '../support/product-process.ts';
import { makeScratch } from '../support/scratch.ts';

const scratch = makeScratch('worked-example');
let program: CliProcess | undefined;
after(() => {
  program?.child.kill('SIGKILL');
  scratch.remove();
});

const blocks = blocksOf('docs/adding-a-resource.md');
const inSection = (section: string) => blocks.find((block) => block.section === section)?.text ?? '';
const checkout = join(scratch.path, 'checkout');

function copyCheckout(): void {
  mkdirSync(checkout);
  for (const name of ['src', 'migrations', 'package.json'])
    cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
}

/** Adds the files of the page: the migration, and one file of each section. */
function addFiles(): void {
  const last = readdirSync(join(checkout, 'migrations')).toSorted().at(-1) ?? '';
  const number = String(Number.parseInt(last, 10) + 1).padStart(4, '0');
  writeFileSync(join(checkout, 'migrations', `${number}_quick_replies.sql`), inSection('Table'));
  const folder = join(checkout, 'src/domain/messaging/quick-replies');
  mkdirSync(folder);
  const files = {
    Shapes: 'schema.ts',
    Queries: 'queries.ts',
    Operation: 'create-quick-reply.ts',
    Routes: 'routes.ts',
  };
  for (const [section, name] of Object.entries(files)) writeFileSync(join(folder, name), inSection(section));
}

/** Adds the lines that the page shows under `// path, CONSTANT`: at the head of the constant, or of the file. */
function addLines(): void {
  const parts = inSection('The lines elsewhere').split(/^(?=\/\/ \S+\.ts)/m);
  assert.ok(parts.length >= 7, 'the page names the places of its lines');
  for (const part of parts) {
    const [, path = '', constant] = /^\/\/ (\S+\.ts)(?:, (\w+))?.*\n/.exec(part) ?? [];
    const lines = part.slice(part.indexOf('\n') + 1);
    const file = join(checkout, path);
    const text = readFileSync(file, 'utf8');
    const head = constant === undefined ? /^/ : new RegExp(`const ${constant}\\b.*[{[]\n`);
    assert.match(text, head, `${path} has no ${constant}`);
    writeFileSync(
      file,
      text.replace(head, (found) => found + lines),
    );
  }
}

test('the resource of the guide is created, read, listed, and emits its event', async () => {
  copyCheckout();
  addFiles();
  addLines();
  const database = await cloneDatabase();
  const db = openDatabase({ url: database.url, connectionsMax: 1, log: silentLog });
  const account = await db.transaction((tx) => createAccount(tx, 'First account'));
  await db.close();
  const env = { DATABASE_URL: database.url, DIALPLANE_SECRET: 'x'.repeat(40), DIALPLANE_DATA: scratch.path };
  program = startCli(env, [], join(checkout, 'src/main.ts'));
  const call = createCaller(await program.ready(), account.test_key);
  const tenant = await expectStatus(call('POST', '/v1/tenants', { body: { name: 'Desert Paws' } }), 201);
  const body = { tenant_id: tenant.id, body: 'We are open until six today.' };
  const created = await expectStatus(call('POST', '/v1/quick_replies', { body }), 201);
  assert.deepEqual({ ...created, ...body, object: 'quick_reply' }, created);
  assert.match(created.id, /^qrp_/);
  assert.deepEqual(await expectStatus(call('GET', `/v1/quick_replies/${created.id}`), 200), created);
  const list = await expectStatus(call('GET', `/v1/quick_replies?tenant_id=${tenant.id}&limit=1`), 200);
  assert.deepEqual(list, { data: [created], has_more: false, next_cursor: null });
  const events = await expectStatus(call('GET', '/v1/events?type=quick_reply.created'), 200);
  assert.deepEqual(events.data[0].data, created);
  const missing = await call('GET', '/v1/quick_replies/qrp_none');
  assert.deepEqual([missing.status, missing.body.error.code], [404, 'quick_reply_not_found']);
  await program.ended('SIGTERM');
  await database.drop();
});
