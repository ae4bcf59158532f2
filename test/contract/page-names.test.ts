/** Files and commands that the pages name exist. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { OWN_GROUPS } from '../../src/cli/catalog.ts';
import { docPages, examplePages, ROOT, readPage } from '../support/doc-pages.ts';
import { missing } from '../support/programs.ts';

const PAGES = ['README.md', ...examplePages(), ...docPages()];
const FILE = /^(?!\/)[\w./-]+\.(ts|mjs|js|sql|json|env|cfg|yml|service)$/;
const FOLDER = /^(src|test|scripts|deploy|bench|migrations|packages|examples|docs|\.ci)\//;
/** Files of an installation, of a package, and of the guide's example. */
const ELSEWHERE: readonly (string | RegExp)[] = [
  /keys\.json$/,
  'ipaddr.js',
  // Of the npm package.
  'dist/main.js',
  'node_modules/dialplane/examples/receiver.mjs',
  'worklet.js',
  'node_modules/.package-lock.json',
  /quick.repl/,
  '0015_call_queue_name.sql',
  // Made by the reader of the quickstart, and of the guide for voice agents.
  'quickstart.mjs',
  'agent.test.mjs',
  // A path that a decision rejected.
  'http/routes.ts',
  './x.ts',
  'npm-shrinkwrap.json',
  // Patterns.
  /[<*]/,
];

const skip = missing('git');
const LIST = ['ls-files', '--cached', '--others', '--exclude-standard'];
const tracked = skip === false ? execFileSync('git', LIST, { cwd: ROOT, encoding: 'utf8' }).split('\n') : [];
const paths = new Set(
  tracked.flatMap((file) => {
    const parts = file.split('/');
    return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  }),
);

function isThere(name: string): boolean {
  const path = name.replace(/^(\.\.?\/)+/, '').replace(/\/$/, '');
  return paths.has(path) || tracked.some((file) => file.endsWith(`/${path}`));
}

for (const page of PAGES) {
  const text = readPage(page);

  test(`the files that ${page} names exist`, { skip }, () => {
    const prose = text.replace(/^```.*?^```$/gms, '');
    const names = [...prose.matchAll(/`([\w@./*<>-]+)`/g)].map(([, name]) => name as string);
    const files = names.filter((name) => FILE.test(name) || FOLDER.test(name));
    const here = files.filter(
      (name) => !ELSEWHERE.some((each) => (each instanceof RegExp ? each.test(name) : each === name)),
    );
    assert.deepEqual(
      here.filter((name) => !isThere(name)),
      [],
    );
  });

  test(`the npm commands that ${page} names exist`, () => {
    const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { scripts: Record<string, string> };
    const commands = [...text.matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, name]) => name as string);
    assert.deepEqual(
      commands.filter((name) => !(name in scripts)),
      [],
    );
  });
}

/** Read by commands and examples that ask a server, not by the server. */
const OF_CLIENTS = [
  'DIALPLANE_URL',
  'DIALPLANE_KEY',
  'DIALPLANE_NUMBER',
  'DIALPLANE_PROFILE',
  'WEBHOOK_URL',
  'AGENT_URL',
  'REALTIME_URL',
  'STREAM_URL',
  'REALTIME_URL',
  'STREAM_URL',
];

test('the settings that pages name are in config.example.env', () => {
  const settings = readPage('config.example.env');
  const names = PAGES.flatMap(
    (page) => readPage(page).match(/\b(?:DIALPLANE|S3|SPEECH|SUMMARY|[A-Z]+_URL)\w*\b/g) ?? [],
  );
  const listed = [...new Set(names)].filter((name) => name.includes('_') && !OF_CLIENTS.includes(name));
  assert.deepEqual(
    listed.filter((name) => !new RegExp(`^(# )?${name}=`, 'm').test(settings)),
    [],
  );
});

test('the page on operating lists every command as the program does', async () => {
  const shown = [...readPage('docs/operating.md').matchAll(/^\| `(.*?)` \|/gm)].map(([, usage = '']) =>
    usage.replaceAll('\\|', '|'),
  );
  const commands = await Promise.all(OWN_GROUPS.map((group) => group.load(() => Promise.resolve([]))));
  for (const { name, usage } of commands.flat())
    assert.ok(shown.includes(`${name} ${usage}`.trim()), `${name} ${usage}`);
});
