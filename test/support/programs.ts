/**
 * The programs that tests start and that a machine may lack. Node, npm, a POSIX shell and its tools exist everywhere.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const apt = (name: string) => `apt-get install ${name}`;

/** Each program, with the Debian package that installs it. */
export const INSTALLED_BY = {
  bash: apt('bash'),
  chromium: `${apt('chromium-headless-shell')}, or name a Chromium in CHROMIUM`,
  curl: apt('curl'),
  dpkg: apt('dpkg'),
  'espeak-ng': apt('espeak-ng'),
  fish: apt('fish'),
  git: apt('git'),
  go: apt('golang-go'),
  haproxy: apt('haproxy'),
  nft: apt('nftables'),
  nginx: apt('nginx'),
  pgbackrest: apt('pgbackrest'),
  pgbouncer: apt('pgbouncer'),
  php: apt('php-cli'),
  pocketsphinx: apt('pocketsphinx pocketsphinx-en-us'),
  'postgresql-15': apt('postgresql-15'),
  python3: apt('python3'),
  'redis-server': apt('redis-server'),
  ruby: apt('ruby'),
  script: apt('bsdutils'),
  'systemd-analyze': apt('systemd'),
  'valkey-server': `${apt('valkey-server')}, on Debian 12 with -t bookworm-backports`,
  workerd: 'npm install -g workerd',
  zsh: apt('zsh'),
} as const;

export type Program = keyof typeof INSTALLED_BY;

/**
 * Programs whose names differ from those of their packages. Debian and Red Hat have PostgreSQL's programs in a separate
 * folder, which PATH does not list. The first program of Chromium has no windows, and opens a page in half the
 * processor time.
 */
const NAMES: Partial<Record<Program, readonly string[]>> = {
  chromium: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
  pocketsphinx: ['pocketsphinx_continuous'],
  'postgresql-15': ['../lib/postgresql/15/bin/postgres', '../pgsql-15/bin/postgres'],
};

/** The reason why a test is skipped. The end of a run counts these. */
export const reasonFor = (program: Program): string => `${program} is not installed`;

/** Returns false if the program is installed, otherwise the reason to skip a test. */
export function missing(program: Program): string | false {
  return findProgram(program) === undefined && reasonFor(program);
}

/** Returns the path of a program, or undefined if it is not installed. */
export function findProgram(program: Program): string | undefined {
  const named = program === 'chromium' ? process.env['CHROMIUM'] : undefined;
  if (named !== undefined) return named;
  return findOnPath(NAMES[program] ?? [program]);
}

/** Returns the path of the first of these names that exists as a program in a folder of PATH. */
export function findOnPath(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(canRun);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
