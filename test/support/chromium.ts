/**
 * The browser of the tests: an installed Chromium, with a microphone that beeps and needs no permission. The test
 * command starts one for all test files. Each file has separate contexts in it.
 */
import type { Browser, BrowserServer } from 'playwright-core';
import { findProgram, missing } from './programs.ts';

const program = findProgram('chromium');

/** The reason to skip tests that need a browser on this machine, or false if there is one. */
export const noChromium: string | false = missing('chromium');

const ARGS = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
  // The pages of a server share a process, and with it the scripts that it has compiled.
  '--process-per-site',
  // For the user root, Chromium has no sandbox.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** Returns the options for starting the browser. It ends with the process that started it, even if that is killed. */
async function chromiumOf() {
  if (program === undefined) throw new Error('there is no Chromium here');
  // Loading this takes half a second, so files that skip all tests do not load it.
  const { chromium } = await import('playwright-core');
  return { chromium, options: { executablePath: program, args: ARGS } };
}

/** Starts the browser of a test run. Its address goes into DIALPLANE_TEST_BROWSER_ENDPOINT. */
export async function serveChromium(): Promise<BrowserServer> {
  const { chromium, options } = await chromiumOf();
  // The test command closes it when it is interrupted.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  return chromium.launchServer({ ...options, ...signals, host: '127.0.0.1' });
}

/** Returns the browser of the test run, or starts one outside of a run. Closing it closes the contexts made by it. */
export async function openChromium(): Promise<Browser> {
  const { chromium, options } = await chromiumOf();
  const endpoint = process.env['DIALPLANE_TEST_BROWSER_ENDPOINT'];
  return endpoint === undefined ? chromium.launch(options) : chromium.connect(endpoint);
}
