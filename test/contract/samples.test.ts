// own process: a command reads the environment of its process.
/** The samples of the API reference: each one sends the request of its operation, with a body that is accepted. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Dialplane } from '../../packages/sdk/src/index.ts';
import { OPERATION_GROUPS } from '../../src/cli/api/operations.ts';
import { runHere } from '../support/cli-process.ts';
import { noPython } from '../support/doc-languages.ts';
import { ROOT, setUpBlocks } from '../support/doc-pages.ts';
import type { Json } from '../support/events.ts';
import { missing } from '../support/programs.ts';
import { makeScratch } from '../support/scratch.ts';
import { document, type Route, routes } from './document.ts';
import { createSchemaCheck } from './schema-check.ts';

const run = promisify(execFile);
const scratch = makeScratch('samples');
after(() => scratch.remove());
const KEY = 'svc_test_of_samples';
const SDK = pathToFileURL(join(ROOT, 'packages/sdk/src/index.ts')).href;
const LIMIT_MS = 200_000;
const FILES = ['file', 'file.pdf'];
mkdirSync(join(scratch.path, '.dialplane'));
writeFileSync(join(scratch.path, '.dialplane/keys.json'), JSON.stringify({ test_key: KEY }));
writeFileSync(join(scratch.path, 'file.pdf'), 'an invoice');

type Sent = { method: string; url: URL; type: string | undefined; body: string };
const requests: Sent[] = [];
const server = createServer(async (request, reply) => {
  const chunks: Buffer[] = await request.toArray();
  const { method = '', url = '', headers } = request;
  const body = Buffer.concat(chunks).toString();
  requests.push({ method, url: new URL(url, 'http://localhost'), type: headers['content-type'], body });
  // A connection that is kept could end just before the next request.
  reply.setHeaders(
    new Map([
      ['content-type', 'application/json'],
      ['connection', 'close'],
    ]),
  );
  reply.end(JSON.stringify({ data: [], has_more: false, next_cursor: null }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function sampleOf({ operation, name }: Route, label: string): string {
  const samples = (operation['x-codeSamples'] ?? []) as readonly { label: string; source: string }[];
  return samples.find((sample) => sample.label === label)?.source ?? assert.fail(`${name} has no sample in ${label}`);
}

const samplesIn = (label: string) => routes.map((route) => sampleOf(route, label));

/** Runs a program that has all samples of a language in a folder with the keys and a file. */
async function runProgram(program: string, words: readonly string[]): Promise<string> {
  const env = { ...process.env, API: `${address}/v1`, KEY };
  return (await run(program, words, { cwd: scratch.path, env, timeout: LIMIT_MS })).stdout;
}

async function runCurl(): Promise<void> {
  const script = ['curl() { command curl -sS "$@" > /dev/null; }', ...samplesIn('curl')].join('\n');
  await runProgram('bash', ['-e', '-c', script]);
}

async function runTypeScript(): Promise<void> {
  const client = `new Dialplane({ apiKey: '${KEY}', baseUrl: '${address}' })`;
  const before = `import { Dialplane } from '${SDK}';\nconst client = ${client};\n`;
  for (const [at, source] of samplesIn('TypeScript').entries()) {
    writeFileSync(join(scratch.path, `sample-${at}.mts`), `${before}${source}\n`);
  }
  const imports = routes.map((_, at) => `await import('./sample-${at}.mts');`).join('\n');
  writeFileSync(join(scratch.path, 'all.mjs'), imports);
  await runProgram(process.execPath, ['all.mjs']);
}

async function runPython(): Promise<void> {
  const definitions = setUpBlocks('python').map(({ text }) => text.split('\ntenant = ')[0]);
  const program = [...definitions, ...samplesIn('Python')].join('\n').replaceAll('http://localhost:8080', address);
  writeFileSync(join(scratch.path, 'all.py'), program);
  await runProgram('python3', ['all.py']);
}

async function runCommandLine(): Promise<void> {
  const print = `dialplane() { printf '%s\\0' "$@" | base64 -w0; echo; }`;
  const lines = (await runProgram('bash', ['-e', '-c', [print, ...samplesIn('CLI')].join('\n')])).trim().split('\n');
  const env = { DIALPLANE_URL: address, DIALPLANE_KEY: KEY, XDG_CONFIG_HOME: scratch.path };
  for (const line of lines) {
    const words = Buffer.from(line, 'base64').toString().split('\0').slice(0, -1);
    const placed = words.map((word) => (FILES.includes(word) ? join(scratch.path, word) : word));
    const { code, err } = await runHere(placed, env);
    assert.equal(code, 0, `${words.join(' ')}: ${err}`);
  }
}

const noShell = missing('bash') || missing('curl');
const LANGUAGES = [
  { label: 'curl', runAll: runCurl, skip: noShell },
  { label: 'TypeScript', runAll: runTypeScript, skip: false },
  { label: 'Python', runAll: runPython, skip: noPython },
  { label: 'CLI', runAll: runCommandLine, skip: missing('bash') },
];
const matches = createSchemaCheck(document);

/** Fails unless the request belongs to the operation and has the body of its example. */
function assertRequest({ name, method, path, operation, parameters, takesFile }: Route, sent: Sent): void {
  assert.equal(sent.method, method, name);
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/{}]+')}$`);
  assert.match(sent.url.pathname, pattern, name);
  for (const parameter of parameters.filter((each) => each.in === 'query' && each.required === true)) {
    assert.ok(sent.url.searchParams.get(parameter.name), `${name}: ${parameter.name}`);
  }
  if (takesFile) assert.deepEqual([sent.type, sent.body], ['application/pdf', 'an invoice'], name);
  const content = operation.requestBody?.content['application/json'] as { schema: object; example?: Json } | undefined;
  if (takesFile || content === undefined) return;
  const body = JSON.parse(sent.body || '{}');
  assert.deepEqual(body, content.example ?? {}, name);
  matches(content.schema, body, name);
}

for (const { label, runAll, skip } of LANGUAGES) {
  test(`each sample for ${label} sends the request of its operation, with a body that is accepted`, {
    skip,
  }, async () => {
    requests.length = 0;
    await runAll();
    assert.equal(requests.length, routes.length);
    for (const [at, route] of routes.entries()) assertRequest(route, requests[at] as Sent);
  });
}

test('docs/methods.md names a method of the SDK and a command for each operation', () => {
  const page = readFileSync(join(ROOT, 'docs/methods.md'), 'utf8');
  const rows = page.matchAll(
    /^\| `(\w+ \S+)` \| `client\.(\w+)\.(\w+)\(.*\)` \| `dialplane ([\w-]+) ([\w-]+).*` \|$/gm,
  );
  const named: string[] = [];
  const client = new Dialplane({ apiKey: KEY, baseUrl: address }) as unknown as Record<string, Record<string, unknown>>;
  for (const [, operation = '', group = '', method = '', word, name] of rows) {
    named.push(operation);
    assert.equal(typeof client[group]?.[method], 'function', `${group}.${method}`);
    const command = OPERATION_GROUPS.find((each) => each.name === word)?.operations.find((each) => each.name === name);
    assert.equal(`${command?.method} ${command?.path}`, operation);
  }
  assert.deepEqual(named.sort(), routes.map(({ name }) => name).sort());
});
