/**
 * The browser of the tests: a Chromium that is installed here, with a microphone that beeps and no permission to ask.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];

const program = process.env['CHROMIUM'] ?? onPath();

/** Why tests that need a browser are left out on this machine, or false when there is one. */
export const noChromium: string | false =
  program === undefined &&
  'no Chromium is installed here: NOT TESTED (get it by apt-get install chromium, or name one in CHROMIUM)';

function onPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name))).find(canRun);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts the browser. It ends with the process that started it, however that ends.
 * @param hosts where names lead to, as `name:port` to `address:port`
 */
export async function launchChromium(hosts: Readonly<Record<string, string>> = {}): Promise<Browser> {
  if (program === undefined) throw new Error('there is no Chromium here');
  // Not before it is needed: scripts/test.ts only asks whether there is a browser.
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
