import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { takeInstallLock } from './install-lock.mjs';
import { installProgress, isInstalled } from './installed.mjs';
import { removeDamaged, removeUnrecorded } from './repair.mjs';

const PROGRESS_EVERY_MS = 1_000;
const PROGRESS_LINE_EVERY_MS = 5_000;
/** How many of the last characters of npm's output are kept. npm's error code is among them. */
const OUTPUT_CHARS_MAX = 10_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Installs the packages of package-lock.json: the packages that the program needs, or these and the packages of
 * development. With `repairs` it first removes packages of development that are damaged. Returns undefined, or a
 * sentence with the reason of a failure. A signal ends the install, then this process.
 */
export async function install(root, development, { repairs = false } = {}) {
  try {
    accessSync(root, constants.W_OK);
  } catch (error) {
    return `packages are missing and ${root} cannot be written to by this user (${error.code}): run "npm ci" there as its owner`;
  }
  const lock = await takeInstallLock(root, say);
  let interruptedBy;
  try {
    if (repairs) {
      const damaged = removeDamaged(root, npmCache(root));
      if (damaged === 0) return 'no package is damaged';
      say(`installing ${damaged} damaged ${damaged === 1 ? 'package' : 'packages'} again`);
    }
    // The previous holder of the lock may have installed everything.
    if (isInstalled(root, development)) return undefined;
    const started = Date.now();
    const { total } = installProgress(root, development);
    say(`installing ${total} packages with npm; this happens once and takes a while on a slow connection`);
    const adds = development && isInstalled(root, false);
    if (adds) removeUnrecorded(root);
    const { problem, signal } = await runNpm(commandFor({ development, adds }), { root, development, lock });
    interruptedBy = signal;
    if (problem !== undefined) return problem;
    if (!isInstalled(root, development)) return incomplete(root, development);
    say(`installed in ${seconds(started)} s`);
    return undefined;
  } finally {
    lock.release();
    if (interruptedBy !== undefined) process.kill(process.pid, interruptedBy);
  }
}

function incomplete(root, development) {
  const { unpacked, total } = installProgress(root, development);
  return `npm reported success, but ${total - unpacked} of ${total} packages are missing (${process.platform}-${process.arch}): look at the npm settings "omit", "os" and "cpu"`;
}

/**
 * Takes packages from npm's cache where it has them, without a question to the registry: package-lock.json has the
 * version and the sum of each package. npm fails if its cached list of a package's versions is older than the version.
 * Then the registry is asked for all lists.
 */
async function runNpm(command, options) {
  const { output, ...ended } = await runOnce([...command, '--prefer-offline'], options);
  if (ended.problem === undefined || !/\bE(TARGET|NOVERSIONS)\b/.test(output)) return ended;
  say("npm's cache is older than package-lock.json; asking the registry");
  return await runOnce(command, options);
}

/**
 * Returns `{ problem, signal, output }`: a sentence with the reason of a failure, the signal that has ended the
 * install, and the end of what npm has said.
 */
function runOnce(command, { root, development, lock }) {
  const args = [...command, '--include=optional', '--loglevel=error', '--no-progress', '--no-audit', '--no-fund'];
  const env = { ...process.env, PATH: pathWithoutOwnNode(root) };
  // Standard output belongs to the command that follows; npm's output goes to standard error.
  const npm = spawn('npm', args, { cwd: root, env, stdio: ['ignore', 2, 'pipe'], shell: process.platform === 'win32' });
  if (npm.pid !== undefined) lock.recordChild(npm.pid);
  let output = '';
  npm.stderr.on('data', (chunk) => {
    process.stderr.write(chunk);
    output = (output + chunk).slice(-OUTPUT_CHARS_MAX);
  });
  const stopProgress = showProgress(root, development);
  let interruptedBy;
  // After any other signal npm spends 10 s on removing the unpacked packages. The next install removes them.
  const interrupt = (signal) => {
    interruptedBy ??= signal;
    npm.kill('SIGKILL');
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  return new Promise((resolve) => {
    npm.on('error', (error) => resolve({ problem: npmProblem(error), output }));
    npm.on('close', (code, signal) => {
      for (const name of SIGNALS) process.off(name, interrupt);
      if (code === 0) return resolve({ output });
      const how = signal ?? `code ${code}`;
      const problem = `npm ended with ${how}; nothing was started. Start again to repair the install`;
      resolve({ problem, signal: interruptedBy, output });
    });
  }).finally(stopProgress);
}

/**
 * Adds packages of development and leaves the present packages unchanged, because a program may be running on them.
 * `npm ci` removes everything first.
 */
function commandFor({ development, adds }) {
  if (!development) return ['ci', '--omit=dev'];
  return adds ? ['install', '--no-save', '--include=dev'] : ['ci', '--include=dev'];
}

function npmCache(root) {
  const options = { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' };
  const { error, stdout } = spawnSync('npm', ['config', 'get', 'cache'], options);
  if (error !== undefined) throw error;
  return stdout.trim();
}

function npmProblem(error) {
  if (error.code === 'ENOENT') return 'npm was not found; it comes with Node, or install it from your system';
  return `npm could not be started: ${error.message}`;
}

/** npm replaces all of node_modules, so it must not run on the Node in there. */
function pathWithoutOwnNode(root) {
  const modules = join(root, 'node_modules') + sep;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.filter((folder) => !(folder + sep).startsWith(modules) || !existsSync(folder)).join(delimiter);
}

function showProgress(root, development) {
  const started = Date.now();
  const terminal = process.stderr.isTTY === true;
  let lineAt = started;
  const timer = setInterval(() => {
    const { unpacked, total } = installProgress(root, development);
    const text = `  ${unpacked} of ${total} packages unpacked, ${seconds(started)} s`;
    if (terminal) process.stderr.write(`\r${text}`);
    else if (Date.now() - lineAt >= PROGRESS_LINE_EVERY_MS) {
      lineAt = Date.now();
      process.stderr.write(`${text}\n`);
    }
  }, PROGRESS_EVERY_MS);
  return () => {
    clearInterval(timer);
    if (terminal) process.stderr.write('\r\u001b[K');
  };
}

function seconds(started) {
  return Math.round((Date.now() - started) / 1000);
}

function say(text) {
  process.stderr.write(`dialplane: ${text}\n`);
}

// Run directly, this file also adds the development packages, which a checkout needs to build its console. With
// --repair it replaces damaged packages.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const repairs = process.argv[2] === '--repair';
  const problem = await install(fileURLToPath(new URL('../..', import.meta.url)), true, { repairs });
  if (problem !== undefined) {
    say(problem);
    process.exitCode = 1;
  }
}
