// own process: a bundler sets NODE_ENV
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import webpack, { type Configuration, type Stats } from 'webpack';
import { useBrowser, useReachableHarness } from '../support/browser.ts';
import { ringing, route } from '../support/calls.ts';
import { noChromium } from '../support/chromium.ts';
import { newPerson } from '../support/messages.ts';
import { buyNumber, makeTenant } from '../support/numbers.ts';
import { openBrowserWebClient, type Pages, servePages } from '../support/web-client-page.ts';
import { makeWebClient } from '../support/web-clients.ts';

const run = promisify(execFile);
const PACKAGE = new URL('../../packages/softphone/', import.meta.url);
const PAGE = '<!doctype html><title>Web client</title><script type="module" src="/main.js"></script>';
/** The policy that the guide tells pages to allow. */
const POLICY = "default-src 'self'; connect-src *; script-src 'self' blob:";
const STRICT_POLICY = "default-src 'self'; connect-src *; script-src 'self'";
const CUSTOMER_HZ = 440;
/** A mean square. The customer's tone has 0.0078. */
const AUDIBLE = 0.002;

const harness = await useReachableHarness();
const browser = await useBrowser(harness, { isConcurrent: true });

// The tests wait for audio in real time. They wait concurrently.
describe('@dialplane/softphone as an application has it', { skip: noChromium, concurrency: true }, () => {
  /** An application with the published package in its node_modules. */
  let app: string;
  before(async () => {
    app = await mkdtemp(join(tmpdir(), 'softphone-app-'));
    const installed = join(app, 'node_modules', '@dialplane', 'softphone');
    await mkdir(installed, { recursive: true });
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', app], {
      cwd: fileURLToPath(PACKAGE),
      shell: process.platform === 'win32',
    });
    const [{ filename }] = JSON.parse(stdout);
    await run('tar', ['-xzf', join(app, filename), '-C', installed, '--strip-components=1']);
    await writeFile(join(app, 'main.js'), await pageScript('@dialplane/softphone'));
    await writeFile(join(app, 'index.html'), PAGE);
  });
  after(async () => {
    if (app !== undefined) await rm(app, { recursive: true });
  });

  /** Returns the script of the page, with the library from elsewhere. */
  async function pageScript(library: string): Promise<string> {
    const script = await readFile(new URL('test/web-client-page.js', PACKAGE), 'utf8');
    const changed = script.replace("'../src/index.js'", `'${library}'`);
    assert.notEqual(changed, script);
    return changed;
  }

  /** Places a call on the page, and waits until the page plays the other party. Closes the pages. */
  async function placeCall(pages: Pages, workletUrl?: string): Promise<void> {
    const tenantId = await makeTenant(harness);
    const number = await buyNumber(harness, tenantId);
    const { id } = await makeWebClient(harness, tenantId);
    await route(harness, { tenantId, number }, { open_behavior: ringing([id]) });
    const setting = { browser, pages, harness, ...(workletUrl === undefined ? {} : { workletUrl }) };
    try {
      const webClient = await openBrowserWebClient(setting, id);
      await webClient.run((phone, to) => phone.place(to), newPerson());
      await webClient.receive('answered');
      await webClient.plays('the other party', CUSTOMER_HZ, ({ level, share }) => level > AUDIBLE && share > 0.9);
      await webClient.run((phone) => phone.hangUp());
      await webClient.receive('ended');
      await webClient.close();
    } finally {
      pages.close();
    }
  }

  /** Returns the address of an empty folder for what a bundler writes. */
  const output = (name: string) => ({ path: join(app, name), folder: pathToFileURL(`${join(app, name)}/`) });

  test('a page built by esbuild places a call', async () => {
    const { path, folder } = output('of-esbuild');
    await esbuild({ absWorkingDir: app, entryPoints: ['main.js'], bundle: true, format: 'esm', outdir: path });
    await placeCall(await servePages({ page: PAGE, folder, policy: POLICY }));
  });

  test('a page built by Vite places a call', async () => {
    const { path, folder } = output('of-vite');
    await vite({ root: app, configFile: false, logLevel: 'error', build: { outDir: path } });
    const page = await readFile(join(path, 'index.html'), 'utf8');
    await placeCall(await servePages({ page, folder, policy: POLICY }));
  });

  test('a page built by webpack places a call', async () => {
    const { path, folder } = output('of-webpack');
    const config: Configuration = { context: app, mode: 'production', entry: './main.js', output: { path } };
    const stats = await new Promise<Stats>((resolve, reject) => {
      webpack(config, (error, made) => (made === undefined ? reject(error) : resolve(made)));
    });
    assert.equal(stats.hasErrors(), false, stats.toString());
    await placeCall(await servePages({ page: PAGE, folder, policy: POLICY }));
  });

  test("a page without a bundler places a call with the server's /softphone.js, from another origin", async () => {
    const { path, folder } = output('plain');
    await mkdir(path);
    await writeFile(join(path, 'main.js'), await pageScript(`${harness.url}/softphone.js`));
    const policy = POLICY.replace('blob:', `blob: ${harness.url}`);
    await placeCall(await servePages({ page: PAGE, folder, policy }));
  });

  test('a page whose policy refuses blob: places a call with workletUrl', async () => {
    await placeCall(await servePages({ policy: STRICT_POLICY }), '/bundle/worklet.js');
  });
});
