/** Builds of a small project by the real Vite, in the background. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { until as untilWithin } from '../../test/support/jobs.ts';
import { makeScratch } from '../../test/support/scratch.ts';
import { today } from '../lib/time/time.ts';
import { createConsoleBuilder } from './console-builder.ts';

const scratch = makeScratch('console-build');
after(() => scratch.remove());
const VITE = fileURLToPath(new URL('../../node_modules/vite', import.meta.url));

/** Makes a checkout whose console is one script. */
function makeCheckout(
  name: string,
  { vite = VITE, script = 'document.title = "first"' }: { vite?: string | null; script?: string } = {},
): string {
  const root = join(scratch.path, name);
  const app = join(root, 'packages/console');
  mkdirSync(app, { recursive: true });
  mkdirSync(join(root, 'node_modules'));
  if (vite !== null) symlinkSync(vite, join(root, 'node_modules/vite'));
  writeFileSync(join(root, 'package-lock.json'), '{}');
  writeFileSync(join(app, 'package.json'), '{"type":"module"}');
  writeFileSync(join(app, 'vite.config.ts'), "export default { base: './' };");
  writeFileSync(join(app, 'index.html'), '<script type="module" src="/main.js"></script>');
  writeFileSync(join(app, 'main.js'), script);
  return root;
}

/** Starts a build, and returns the log lines of it so far. */
function start(root: string, { installs = false } = {}) {
  const lines: { level: number; msg: string; reason?: string }[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  const builder = createConsoleBuilder(log, { builds: true, installs, root });
  builder.start();
  return { builder, lines, said: () => lines.map(({ msg }) => msg) };
}

/** Everything else on the machine comes before a build. */
const until = (what: string, holds: () => boolean) => untilWithin(what, holds, 120_000);

const BUILT = ['building the console in the background', 'the console is built'];
const script = (root: string) => {
  const folder = join(root, 'packages/console/dist/assets');
  return readFileSync(join(folder, readdirSync(folder)[0] as string), 'utf8');
};

test('a console is built when it is missing, and again when its sources change, whatever their dates', async () => {
  const root = makeCheckout('changing');
  const first = start(root);
  assert.equal(first.builder.missing().isBuilding, true);
  await until('it is built', () => first.lines.length === 2);
  assert.deepEqual(first.said(), BUILT);
  assert.match(script(root), /first/);
  assert.deepEqual(readdirSync(join(root, 'node_modules/.cache')), []);

  const main = join(root, 'packages/console/main.js');
  utimesSync(main, today(), today());
  const same = start(root);
  await same.builder.stop();
  assert.deepEqual(same.said(), []);

  writeFileSync(main, 'document.title = "second"');
  utimesSync(main, new Date(0), new Date(0));
  const changed = start(root);
  await until('it is built again', () => changed.lines.length === 2);
  assert.match(script(root), /second/);
});

test('a build that fails leaves the earlier one, and says in one line what to do', async () => {
  const root = makeCheckout('broken');
  const earlier = start(root);
  await until('it is built', () => earlier.lines.length === 2);
  writeFileSync(join(root, 'packages/console/main.js'), 'this is no script');
  const { builder, lines } = start(root);
  await until('it has failed', () => lines.length === 2);
  const [, { level = 0, msg = '', reason = '' } = {}] = lines;
  assert.equal(level, 40);
  assert.equal(msg, 'the console could not be built; run "npm run build" in the checkout');
  assert.match(reason, /main\.js/);
  assert.equal(builder.missing().isBuilding, false);
  assert.match(script(root), /first/);
});

test('without the packages that it is built with, it says so', async () => {
  const { lines } = start(makeCheckout('bare', { vite: join(scratch.path, 'nothing') }));
  await until('it has failed', () => lines.length === 2);
  assert.equal(lines[1]?.reason, 'the packages that it is built with are not installed');
});

/** Gives a checkout an installer that runs this after the packages of the program were installed. */
function giveInstaller(root: string, program: string): void {
  mkdirSync(join(root, 'scripts/bootstrap'), { recursive: true });
  writeFileSync(join(root, 'scripts/bootstrap/install.mjs'), program);
}

test('a first start adds the packages that it is built with, and builds it', async () => {
  const root = makeCheckout('first', { vite: null });
  const link = `symlinkSync(${JSON.stringify(VITE)}, ${JSON.stringify(join(root, 'node_modules/vite'))});`;
  giveInstaller(root, `import { symlinkSync } from 'node:fs';\n${link}`);
  const { builder, lines, said } = start(root, { installs: true });
  assert.equal(builder.missing().isBuilding, true);
  await until('it is built', () => lines.length === 3);
  assert.deepEqual(said(), ['installing the packages that build the console, in the background', ...BUILT]);
  assert.match(script(root), /first/);
});

test('packages that cannot be added are said with the reason', async () => {
  const root = makeCheckout('offline', { vite: null });
  giveInstaller(root, `console.error('npm was not found'); process.exitCode = 1;`);
  const { builder, lines } = start(root, { installs: true });
  await until('it has failed', () => lines.length === 2);
  assert.equal(lines[1]?.reason, 'npm was not found');
  assert.equal(builder.missing().isBuilding, false);
});

test('a build ends with the server, and leaves nothing behind', async () => {
  const root = makeCheckout('stopped');
  const { builder, lines, said } = start(root);
  await until('it runs', () => existsSync(join(root, 'node_modules/.cache')));
  await builder.stop();
  assert.deepEqual(said(), BUILT.slice(0, 1), JSON.stringify(lines));
  assert.deepEqual(readdirSync(join(root, 'node_modules/.cache')), []);
  assert.ok(!existsSync(join(root, 'packages/console/dist')));
});
