/**
 * Checks openapi.json and openapi-operator.json by the rules of Redocly and of Spectral. It also checks that
 * openapi.json breaks no callers of the last release. The operator document has no such check: the console is of the
 * same version as its server. The documents of releases are in docs/releases, and allowed-changes.json in the same
 * folder lists the intended changes. With `--keep` it writes the document of the version in package.json there, for a
 * release.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConfig, lint } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { breakingChanges, type Document } from './openapi/compare-documents.ts';

const ROOT = new URL('..', import.meta.url);
const RELEASES = new URL('docs/releases/', ROOT);
const DOCUMENT = new URL('openapi.json', ROOT);
const CONSOLE_DOCUMENT = new URL('openapi-operator.json', ROOT);
const ALLOWED = new URL('allowed-changes.json', RELEASES);

const read = (file: URL) => JSON.parse(readFileSync(file, 'utf8'));

/** Rules that do not fit: each operation has its errors as `default`, and the server is the default installation. */
const OFF = { 'operation-4xx-response': 'off', 'no-server-example.com': 'off' } as const;
/** Rules that Redocly does not recommend to everyone. */
const ON = {
  'operation-description': 'error',
  'tag-description': 'error',
  'no-invalid-media-type-examples': 'error',
  'no-invalid-parameter-examples': 'error',
  'no-unused-components': 'error',
} as const;

/** Returns the problems that Redocly finds in the document; warnings count. */
async function lintProblems(document: URL): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: { ...OFF, ...ON } });
  const problems = await lint({ ref: document.pathname, config });
  return problems.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} ${at?.pointer ?? ''}`);
}

/**
 * Rules that do not fit: the operator of an installation is not known; the licence has its SPDX identifier, and OpenAPI
 * 3.1 allows no url with it; and the tags have the order of a reader.
 */
const SPECTRAL_OFF = { 'contact-properties': 'off', 'license-url': 'off', 'openapi-tags-alphabetical': 'off' } as const;

/** Returns the problems that Spectral finds in the document, by its other rules for OpenAPI; warnings count. */
async function spectralProblems(document: URL): Promise<string[]> {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [[spectralRulesets.oas, 'all']], rules: SPECTRAL_OFF } as never);
  const problems = await spectral.run(read(document));
  return problems.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`);
}

/**
 * Returns the changes since the last release that break callers and are not allowed, and the allowed changes that did
 * not happen.
 */
function changeProblems(): string[] {
  const newest = releases().at(-1);
  if (newest === undefined) return ['docs/releases has no document: run npm run keep:openapi'];
  const found = breakingChanges(read(new URL(newest, RELEASES)), read(DOCUMENT));
  const allowed: string[] = read(ALLOWED);
  return [
    ...found.filter((change) => !allowed.includes(change)).map((change) => `breaks callers of ${newest}: ${change}`),
    ...allowed.filter((change) => !found.includes(change)).map((change) => `allowed and not made: ${change}`),
  ];
}

/** The documents of releases, oldest first. */
function releases(): string[] {
  const files = readdirSync(RELEASES).filter((name) => /^openapi-.*\.json$/.test(name));
  return files.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** Stores the document of this version, without its texts, and empties the list of allowed changes. */
function keep(): void {
  const { version } = read(new URL('package.json', ROOT)) as { version: string };
  const bare = withoutTexts(read(DOCUMENT)) as Document;
  const name = `openapi-${version}.json`;
  rmSync(new URL(name, RELEASES), { force: true });
  writeFileSync(new URL(name, RELEASES), `${JSON.stringify(bare)}\n`);
  writeFileSync(ALLOWED, '[]\n');
  console.log(`wrote docs/releases/${name}`);
}

/** Names of texts in the document, unless they are names of fields. */
const TEXTS = new Set(['description', 'summary', 'example', 'examples', 'headers', 'tags', 'x-error-codes', 'x-form']);

function withoutTexts(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => isNames || !TEXTS.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutTexts(inner, name === 'properties')]));
}

if (process.argv.includes('--keep')) {
  keep();
} else {
  const problems = changeProblems();
  for (const document of [DOCUMENT, CONSOLE_DOCUMENT]) {
    problems.push(...(await lintProblems(document)), ...(await spectralProblems(document)));
  }
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) process.exitCode = 1;
}
