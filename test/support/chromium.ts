/**
 * The browser of the tests: a Chromium that is installed here, with a microphone that beeps and no permission to ask.
 */
import type { Browser } from 'playwright-core';
import { findProgram, missing } from './programs.ts';

const program = findProgram('chromium');

/** Why tests that need a browser are skipped on this machine, or false if there is one. */
export const noChromium: string | false = missing('chromium');

/**
 * Starts the browser. It ends with the process that started it, however that ends.
 * @param hosts where names lead to, as `name:port` to `address:port`
 */
export async function launchChromium(hosts: Readonly<Record<string, string>> = {}): Promise<Browser> {
  if (program === undefined) throw new Error('there is no Chromium here');
  // Takes half a second to load, also where all tests are skipped.
  const { chromium } = await import('playwright-core');
  const rules = Object.entries(hosts).map(([from, to]) => `MAP ${from} ${to}`);
  return chromium.launch({
    executablePath: program,
    args: [
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      '--autoplay-policy=no-user-gesture-required',
      `--host-resolver-rules=${rules.join(',')}`,
      // Root has no sandbox.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}
