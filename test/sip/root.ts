/**
 * A separate Debian root with Asterisk, baresip and sipp, for the SIP tests. Asterisk 22 is in newer releases of Debian
 * than most machines have.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const RELEASE = 'forky';
const PACKAGES = ['asterisk', 'baresip', 'sip-tester', 'espeak-ng'];
const DEBOOTSTRAP_SCRIPTS = '/usr/share/debootstrap/scripts';
const STEP_MS_MAX = 400_000;

export const SIP_ROOT = '/var/lib/dialplane-sip-root';
/** This file is written when everything is installed. */
const COMPLETE = 'etc/dialplane-sip-complete';

/** Makes the root if it does not exist. Returns the missing requirement if it cannot be made; otherwise undefined. */
export function makeSipRoot(root = SIP_ROOT): string | undefined {
  if (isComplete(root)) return undefined;
  if (process.getuid?.() !== 0) return 'root rights, to make a Debian root for Asterisk';
  if (!isInstalled('debootstrap')) return 'debootstrap';
  const mirror = findMirror();
  if (mirror === undefined) return "a Debian mirror in this machine's sources of packages";
  try {
    build(root, mirror);
    return undefined;
  } catch (error) {
    return `a Debian root for Asterisk: ${error instanceof Error ? error.message : error}`;
  }
}

/** Returns a requirement of the tests' network that this machine lacks; undefined if it has all of them. */
export function findMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'root rights, for network namespaces';
  const lacks = ['ip', 'unshare', 'setpriv'].find((program) => !isInstalled(program));
  if (lacks !== undefined) return lacks;
  const made = spawnSync('unshare', ['--mount', '--net', 'true'], { encoding: 'utf8' });
  return made.status === 0 ? undefined : `network namespaces (${made.stderr.trim()})`;
}

function isComplete(root: string): boolean {
  const file = join(root, COMPLETE);
  return existsSync(file) && readFileSync(file, 'utf8') === PACKAGES.join(' ');
}

function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/** Returns the Debian mirror of this machine, from either form of its sources. */
function findMirror(): string | undefined {
  const files = ['/etc/apt/sources.list', '/etc/apt/sources.list.d/debian.sources'];
  const texts = files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'));
  return /^\s*(?:URIs:|deb)\s+(https?:\/\/\S+\/debian\/?)(?:\s|$)/m.exec(texts.join('\n'))?.[1]?.replace(/\/$/, '');
}

function build(root: string, mirror: string): void {
  if (!existsSync(join(root, 'usr/bin/apt-get'))) {
    rmSync(root, { recursive: true, force: true });
    mkdirSync(root, { recursive: true });
    step('a Debian root is made', 'debootstrap', [
      ...['--variant=minbase', '--include=ca-certificates'],
      ...[RELEASE, root, mirror, scriptOf()],
    ]);
  }
  writeFileSync(join(root, 'etc/apt/sources.list'), `deb ${mirror} ${RELEASE} main\n`);
  // The root can be made again, so no write waits for the disk. It needs no manuals.
  const options = [
    'force-unsafe-io',
    ...['doc', 'man', 'locale', 'info'].map((name) => `path-exclude=/usr/share/${name}/*`),
  ];
  writeFileSync(join(root, 'etc/dpkg/dpkg.cfg.d/quick'), `${options.join('\n')}\n`);
  // Packages must not start their services in the root.
  writeFileSync(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  execFileSync('cp', ['/etc/resolv.conf', join(root, 'etc/resolv.conf')]);
  execFileSync('cp', ['-r', '/etc/apt/apt.conf.d/.', join(root, 'etc/apt/apt.conf.d/')]);
  step('its lists of packages are read', 'chroot', [root, 'apt-get', 'update', '-qq']);
  step(`${PACKAGES.join(', ')} are installed in it`, 'chroot', [
    ...[root, 'env', 'DEBIAN_FRONTEND=noninteractive'],
    ...['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...PACKAGES],
  ]);
  writeFileSync(join(root, COMPLETE), PACKAGES.join(' '));
}

/** An older debootstrap does not know the release's name. All releases are made in the same way. */
function scriptOf(): string {
  const own = join(DEBOOTSTRAP_SCRIPTS, RELEASE);
  return existsSync(own) ? own : join(DEBOOTSTRAP_SCRIPTS, 'sid');
}

function step(what: string, program: string, args: readonly string[]): void {
  console.log(`SIP tests: ${what}…`);
  const started = performance.now();
  const { status, error, stderr, stdout } = spawnSync(program, args, { timeout: STEP_MS_MAX, encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(`${program} failed: ${(stderr || stdout).trim().slice(-500)}`);
  console.log(`SIP tests: done in ${Math.round((performance.now() - started) / 1_000)} s`);
}
