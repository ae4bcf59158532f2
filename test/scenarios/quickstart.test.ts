/** Pastes the quickstart in an empty folder, as a reader without a checkout and without a registry does. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { nodesOf } from '../../packages/sdk/test/support/built-package.ts';
import { noPython, writeProgram } from '../support/doc-languages.ts';
import { type Block, blocksOf, QUICKSTART } from '../support/doc-pages.ts';
import { useHarness } from '../support/harness.ts';
import { freePort } from '../support/ports.ts';
import { missing } from '../support/programs.ts';
import { makeScratch } from '../support/scratch.ts';

const run = promisify(execFile);
const LIMIT_MS = 200_000;
const scratch = makeScratch('quickstart');
after(() => scratch.remove());
const port = await freePort();
const publicUrl = `http://127.0.0.1:${port}`;
const harness = await useHarness({ port, settings: { publicUrl } });
const blocks = blocksOf(QUICKSTART);
const installs = ({ text }: Block) => text.includes('/sdk.tgz');
const pasted = (text: string) => text.replaceAll('http://localhost:8080', publicUrl);

type Reader = { readonly checkout: string; readonly folder: string; readonly env: NodeJS.ProcessEnv };

/** A reader with one version of Node, in front of a checkout that has nothing but the keys. */
async function readerOf(name: string, node: string): Promise<Reader> {
  const { id: account_id, test_key, live_key } = await harness.secondAccount();
  const checkout = join(scratch.path, name, 'checkout');
  const programs = join(scratch.path, name, 'programs');
  for (const folder of [join(checkout, '.dialplane'), programs]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(checkout, '.dialplane/keys.json'), JSON.stringify({ account_id, test_key, live_key }));
  symlinkSync(node, join(programs, 'node'));
  const env = {
    PATH: [programs, process.env['PATH']].join(delimiter),
    HOME: join(scratch.path, name),
    // No server listens on this port.
    npm_config_registry: 'http://127.0.0.1:9/',
  };
  return { checkout, folder: join(scratch.path, name, 'quickstart'), env };
}

async function paste(text: string, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  await run('bash', ['-e', '-o', 'pipefail', '-c', pasted(text)], { cwd, env, timeout: LIMIT_MS });
}

const { node20, own } = await nodesOf();
const noShell = missing('bash') || missing('curl');
const nodes = [
  { name: 'the pinned Node', node: own, skip: noShell },
  { name: 'Node 20', node: node20 ?? own, skip: noShell || (node20 === undefined && 'this machine has no Node 20') },
];

for (const { name, node, skip } of nodes) {
  test(`the TypeScript of the quickstart runs as pasted on ${name}, with the package of the server`, {
    skip,
  }, async () => {
    const { checkout, folder, env } = await readerOf(name.replaceAll(' ', '-'), node);
    const [install, ...others] = blocks.filter((block) => block.language === 'sh' && installs(block));
    assert.ok(install !== undefined && others.length === 0);
    assert.ok(install.text.trim().split('\n').length <= 2, 'it takes more than two lines');
    await paste(install.text, checkout, env);
    const examples = blocks.filter(({ language }) => language === 'ts');
    writeFileSync(join(folder, 'quickstart.mjs'), pasted(writeProgram(QUICKSTART, 'ts', examples)));
    const { stdout } = await run('node', ['quickstart.mjs'], { cwd: folder, env, timeout: LIMIT_MS });
    assert.match(stdout, /recipient_opted_out/);
  });
}

test('the commands and the Python of the quickstart run as pasted in a folder that has nothing but the keys', {
  skip: noShell || noPython,
}, async () => {
  const { checkout, env } = await readerOf('others', own);
  const commands = blocks.filter(
    (block) => block.language === 'sh' && !installs(block) && block.text !== 'npm start\n',
  );
  await paste(commands.map(({ text }) => text).join('\n'), checkout, env);
  const examples = blocks.filter(({ language }) => language === 'python');
  writeFileSync(join(checkout, 'quickstart.py'), pasted(writeProgram(QUICKSTART, 'python', examples)));
  await run('python3', ['quickstart.py'], { cwd: checkout, env, timeout: LIMIT_MS });
});
