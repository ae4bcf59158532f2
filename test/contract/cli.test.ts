/** Every operation of the document is a command that works. */
import assert from 'node:assert/strict';
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { requestWords } from '../../scripts/cli/examples.ts';
import { OPERATION_GROUPS, type Operation } from '../../src/cli/api/operations.ts';
import { runHere } from '../support/cli-process.ts';
import { keyedRoutes, type Route } from './document.ts';
import type { Request } from './fixture.ts';
import { EMPTIES_LEDGER, fixtureOf } from './fixtures.ts';
import { createWorld, useWorlds } from './world.ts';

const worlds = await useWorlds();
const folder = mkdtempSync(join(tmpdir(), 'cli-'));
const download = join(folder, 'download');
const env = {
  DIALPLANE_DATA: '/nonexistent',
  DIALPLANE_KEY: '',
  DIALPLANE_URL: worlds.harness.url,
  XDG_CONFIG_HOME: folder,
};

const COMMANDS = new Map<string, { group: string; operation: Operation }>(
  OPERATION_GROUPS.flatMap(({ name: group, operations }) =>
    operations.map((operation) => [`${operation.method} ${operation.path}`, { group, operation }]),
  ),
);

/** Returns the command line of a request. */
function wordsFor(route: Route, { path = {}, query, body, file }: Request): string[] {
  const { group, operation } = COMMANDS.get(route.name) ?? assert.fail(`there is no command for ${route.name}`);
  const upload = join(folder, 'upload.png');
  if (file !== undefined) writeFileSync(upload, file);
  return [
    ...[group, operation.name, ...operation.arguments.map((name) => path[name] ?? 'none')],
    ...requestWords({ query, body }, operation.fields),
    ...(file === undefined ? [] : ['--file', upload]),
    ...(operation.reply === 'file' ? ['--output', download] : []),
  ];
}

for (const route of keyedRoutes) {
  test(`${route.name} is a command that sends the request and shows the reply`, async () => {
    const isWhole = [EMPTIES_LEDGER, 'POST /v1/test/clock'].includes(route.name);
    const { harness, receiver, home } = worlds;
    const world = isWhole ? await createWorld(harness, receiver, await harness.secondAccount()) : home;
    const request = await fixtureOf(route).make(world);
    const words = [...wordsFor(route, request), '--key', world.key];
    const { code, out, err } = await runHere(words, env);
    assert.equal(code, 0, `${words.join(' ')}: ${err}`);
    assert.notEqual(out.trim(), '');
    if (words.includes('--output')) assert.ok(statSync(download).size > 0);
  });
}
