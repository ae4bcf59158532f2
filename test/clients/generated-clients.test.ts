/** Clients that others generate from the OpenAPI document compile under strict settings, and work with the server. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from '../support/doc-pages.ts';
import { useHarness } from '../support/harness.ts';
import { makeScratch } from '../support/scratch.ts';

const run = promisify(execFile);
const harness = await useHarness({ startWorkers: false });
const scratch = makeScratch('generated-clients');
after(() => scratch.remove());

const DOCUMENT = join(ROOT, 'openapi.json');
const module = (path: string) => join(ROOT, 'node_modules', path);
const here = (name: string) => join(ROOT, 'test/clients', name);
const withTypeScript5 = ['--import', here('typescript-5.mjs')];

/** The strictest settings that the code of the generators itself passes. */
const SETTINGS = {
  target: 'es2023',
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noFallthroughCasesInSwitch: true,
  verbatimModuleSyntax: true,
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
  rootDir: '.',
  outDir: 'dist',
};

async function compile(flow: string, settings: object): Promise<void> {
  copyFileSync(here(`${flow}.txt`), join(scratch.path, `${flow}.ts`));
  const config = { compilerOptions: { ...SETTINGS, ...settings }, files: [`${flow}.ts`] };
  const file = join(scratch.path, `tsconfig.${flow}.json`);
  writeFileSync(file, JSON.stringify(config));
  await run(process.execPath, [module('typescript/bin/tsc'), '-p', file]).catch((error) => {
    assert.fail(`${flow} does not compile:\n${error.stdout}`);
  });
}

/** Runs a compiled flow against the server, and returns what it printed. */
async function play(flow: string): Promise<unknown> {
  const args = [join(scratch.path, 'dist', `${flow}.js`), harness.url, harness.account.test_key];
  const { stdout } = await run(process.execPath, args);
  return JSON.parse(stdout);
}

const OUTCOME = {
  status: 'queued',
  texts: 2,
  events: ['+16025550143: Hi'],
  code: 'tenant_not_found',
};

symlinkSync(join(ROOT, 'node_modules'), join(scratch.path, 'node_modules'));
writeFileSync(join(scratch.path, 'package.json'), '{ "type": "module" }');

test('a client with the types of openapi-typescript compiles and works', async () => {
  const args = [
    module('openapi-typescript/bin/cli.js'),
    DOCUMENT,
    '--default-non-nullable=false',
    '-o',
    join(scratch.path, 'schema.ts'),
  ];
  await run(process.execPath, [...withTypeScript5, ...args]);
  await compile('flow-openapi-fetch', { exactOptionalPropertyTypes: true });
  assert.deepEqual(await play('flow-openapi-fetch'), OUTCOME);
});

test('a client of openapi-ts compiles and works, and zod accepts every reply', async () => {
  const args = [here('generate-hey-api.mjs'), DOCUMENT, join(scratch.path, 'hey')];
  await run(process.execPath, [...withTypeScript5, ...args]);
  await compile('flow-hey-api', {});
  assert.deepEqual(await play('flow-hey-api'), OUTCOME);
});
