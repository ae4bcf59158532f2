/**
 * A clone of this checkout. Its first starts are interrupted while they install the packages that build the console.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hasCode } from '../../src/server/embedded-postgres/process-identity.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';
import { makeScratch } from '../support/scratch.ts';
import { ROOT, SHELL } from './packs.ts';

const scratch = makeScratch('clone');
after(() => scratch.remove());
const folder = join(scratch.path, 'checkout');

/** npm may have to download the packages. It runs in the background, behind all other work of the machine. */
const INSTALLED_WITHIN_MS = 900_000;

before(() => execFileSync('git', ['clone', '--quiet', ROOT, folder]));

/** Starts the clone as `npm start` does, and resolves when it is ready. */
async function start() {
  const env = { ...SHELL, PORT: String(await freePort()), DIALPLANE_METRICS_PORT: 'off' };
  const child = spawn('node', ['scripts/bootstrap.mjs', 'start'], {
    ...{ cwd: folder, env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  closeAfterTests(() => child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  const isReady = () => text.includes('"msg":"ready"');
  await until('the program is ready', () => isReady() || child.exitCode !== null, INSTALLED_WITHIN_MS);
  assert.ok(isReady(), text);
  return {
    text: () => text,
    url: `http://localhost:${env.PORT}`,
    /** Sends a signal as a terminal does, and returns how the program ended. */
    end: async (signal: NodeJS.Signals) => {
      process.kill(-(child.pid as number), signal);
      return await once(child, 'exit');
    },
  };
}

/** Returns the share of the development packages that npm has begun to unpack. */
function unpackedShare(): number {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const paths = Object.keys(packages).filter((path) => packages[path].dev && !packages[path].optional);
  return paths.filter((path) => existsSync(join(folder, path))).length / paths.length;
}

/** Returns the process ids of programs in the folder of the clone. Its database has a separate folder. */
function programsInClone(): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch (error) {
      // The process has ended, or belongs to another user.
      if (hasCode(error, ['ENOENT', 'ESRCH', 'EACCES'])) return false;
      throw error;
    }
  });
}

const skip = process.platform === 'linux' ? false : 'the programs of a folder are found on Linux alone';

for (const [signal, share] of [
  ['SIGINT', 0.01],
  ['SIGKILL', 0.3],
  ['SIGINT', 0.6],
  ['SIGKILL', 0.95],
] as const) {
  test(`${signal} ends a start that has unpacked ${share * 100} % of what builds the console, with every program`, {
    skip,
  }, async () => {
    const program = await start();
    await until('npm unpacks', () => unpackedShare() >= share, INSTALLED_WITHIN_MS);
    // A stop while npm installs ends with 1 after 10 s: npm removes its unpacked files first.
    assert.deepEqual(await program.end(signal), signal === 'SIGINT' ? [0, null] : [null, 'SIGKILL'], program.text());
    await until('no program is left', () => programsInClone().length === 0);
  });
}

test('the next start repairs the install, builds the console and serves it', { skip }, async () => {
  const program = await start();
  for (const path of ['/console/', '/console/sign-in']) {
    // On a stalled machine, an interrupted start may have built the console before the interrupt.
    const isServed = async () => {
      assert.doesNotMatch(program.text(), /could not be built/);
      return (await fetch(`${program.url}${path}`)).status === 200;
    };
    await until(`${path} is served`, isServed, INSTALLED_WITHIN_MS);
  }
  await program.end('SIGINT');
});
