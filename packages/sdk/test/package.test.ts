import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { useHarness } from '../../../test/support/harness.ts';
import { COMPILERS, type Compiler, compile, installPackage, nodesOf, runNode } from './support/built-package.ts';
import { clientOf, makeSender } from './support/sender.ts';

const GZIPPED_BYTES_MAX = 20_000;

const harness = await useHarness();
const project = await installPackage();
const { node20, own: node26 } = await nodesOf();
const filesOf = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' });
const manifest = JSON.parse(readFileSync(join(project.installed, 'package.json'), 'utf8'));

test('the package has no dependencies, and nothing but what runs and its types', () => {
  assert.deepEqual(
    Object.keys(manifest).filter((key) => /dependencies/i.test(key)),
    [],
  );
  const files = filesOf(project.installed).filter((name) => name.includes('.'));
  assert.deepEqual(
    filesOf(project.installed)
      .filter((name) => !name.startsWith('dist'))
      .sort(),
    ['LICENSE', 'README.md', 'package.json'],
  );
  assert.deepEqual(
    files.filter((name) => name.startsWith('dist') && !/\.(?:js|d\.ts)$/.test(name)),
    [],
  );
  for (const entry of Object.values(manifest.exports as Record<string, Record<string, string>>)) {
    for (const path of Object.values(entry)) assert.ok(files.includes(path.replace('./', '')), path);
  }
});

test('the server serves the same files as a package', async () => {
  const reply = await fetch(`${harness.url}/sdk.tgz`);
  const tar = gunzipSync(Buffer.from(await reply.arrayBuffer()));
  const served = new Map<string, string>();
  for (let at = 0; tar[at] !== 0; ) {
    const header = tar.subarray(at, at + 512).toString('latin1');
    const [name = '', bytes] = [header.slice(0, 100).split('\0')[0], Number.parseInt(header.slice(124, 135), 8)];
    served.set(name.replace('package/', ''), tar.subarray(at + 512, at + 512 + bytes).toString('utf8'));
    at += 512 + Math.ceil(bytes / 512) * 512;
  }
  const packed = filesOf(project.installed).filter((name) => name.includes('.') || name === 'LICENSE');
  assert.deepEqual([...served.keys()].sort(), packed.sort());
  for (const [name, text] of served) assert.equal(text, readFileSync(join(project.installed, name), 'utf8'), name);
});

test('the licence is that of the project', () => {
  const [own, ofProject] = [
    join(project.installed, 'LICENSE'),
    fileURLToPath(new URL('../../../LICENSE', import.meta.url)),
  ];
  assert.equal(readFileSync(own, 'utf8'), readFileSync(ofProject, 'utf8'));
});

test('all of it together has less than 20 KB gzipped', (context) => {
  const dist = join(project.installed, 'dist');
  const scripts = filesOf(dist).filter((name) => name.endsWith('.js'));
  const bytes = gzipSync(scripts.map((name) => readFileSync(join(dist, name), 'utf8')).join('\n'), { level: 9 }).length;
  context.diagnostic(`${scripts.length} files, ${bytes} bytes`);
  assert.ok(bytes < GZIPPED_BYTES_MAX, `${bytes} bytes`);
});

test('the types have the comments, the scripts do not', () => {
  const [types, script] = ['d.ts', 'js'].map((ending) =>
    readFileSync(join(project.installed, `dist/client.${ending}`), 'utf8'),
  );
  assert.match(types ?? '', /\/\*\* The API of an installation/);
  assert.doesNotMatch(script ?? '', /\/\*\*/);
});

const TYPESCRIPT = `
import { Dialplane, DialplaneError, type Event, MediaConnection, Realtime, realtimeFromApi, webhooks } from '@dialplane/sdk';
import { MediaConnection as Media } from '@dialplane/sdk/media';
import { Realtime as BrowserRealtime } from '@dialplane/sdk/realtime';
import { createRelay } from '@dialplane/sdk/relay';
import { createResources } from '@dialplane/sdk/resources';
import { TestMode } from '@dialplane/sdk/testing';
import { unwrap } from '@dialplane/sdk/webhooks';

const client = new Dialplane({ apiKey: 'svc_test_x', baseUrl: 'http://localhost', timeoutMs: undefined });
export const forPages: Pick<Dialplane, 'calls'> = createResources({ baseUrl: 'http://localhost', headers: { 'x-caller': 'page' } });

export async function use(request: Request): Promise<string> {
  for await (const call of client.calls.list({ direction: 'inbound' })) if (call.ended_at === null) return call.id;
  const { data, nextCursor } = await client.messages.list();
  const event: Event = await unwrap(await request.text(), request.headers, 'whsec_');
  // @ts-expect-error a direction that does not exist
  client.calls.list({ direction: 'sideways' });
  // @ts-expect-error a send without a receiver
  client.messages.send({ from: 'num_1' });
  // @ts-expect-error a method that does not exist
  client.messages.post();
  switch (event.type) {
    case 'message.failed':
      return event.data.failure_reason;
    case 'call.completed':
      // @ts-expect-error a field of another type of event
      return event.data.failure_reason;
    default:
      return [data[0]?.body, nextCursor].join();
  }
}

export function handle(error: unknown): number | undefined {
  if (DialplaneError.is(error, 'rate_limited')) return error.retryAfterSeconds;
  if (DialplaneError.is(error, 'invalid_to')) return error.status;
  return undefined;
}

const realtime = new Realtime({ ...realtimeFromApi(client, { tenant_id: 'tnt_1' }), WebSocket });
realtime.on('voicemail.created', ({ data }) => data.recording_id.length);
const media: Media = new MediaConnection(await client.mediaStreams.create('call_1'), { WebSocket });
media.on('audio', ({ pcm, track }) => [pcm.length, track === 'inbound']);
await new TestMode(client).advanceClock({ hours: 1 });
new BrowserRealtime({ token: () => client.events.createRealtimeToken() }).connect();
webhooks.sign('', '');
createRelay(() => ({
  onSetup: () => 'Hello',
  onPrompt: async function* ({ voicePrompt }) {
    yield voicePrompt;
  },
  onDtmf: ({ digit }, session) => session.say(digit),
  onInterrupt(interrupt, session) {
    session.end({ heard: interrupt.utteranceUntilInterrupt });
  },
  onError: () => undefined,
}))(new WebSocket('ws://localhost/'));
// @ts-expect-error without onError, nobody would notice a failure
createRelay({ onSetup: () => 'Hello' });
`;

const STRICT = {
  target: 'es2022',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
};
const TYPES_OF_NODE = {
  lib: ['es2023'],
  types: ['node'],
  typeRoots: [fileURLToPath(new URL('../../../node_modules/@types', import.meta.url))],
};

test('strict TypeScript accepts the package, and refuses what the API would', async () => {
  const projects = {
    'browser.json': { ...STRICT, lib: ['es2023', 'dom', 'dom.iterable'], types: [] },
    'node.json': { ...STRICT, ...TYPES_OF_NODE },
    'bundler.json': { ...STRICT, lib: ['es2023', 'dom'], types: [], module: 'esnext', moduleResolution: 'bundler' },
  };
  project.write('use.ts', TYPESCRIPT);
  for (const [name, compilerOptions] of Object.entries(projects)) {
    project.write(name, JSON.stringify({ compilerOptions, files: ['use.ts'] }));
  }
  assert.deepEqual(
    COMPILERS.map(({ version }) => version.split('.')[0]),
    ['7', '5'],
  );
  const [{ path: own }, { path: older }] = COMPILERS as readonly [Compiler, Compiler];
  for (const name of Object.keys(projects)) await compile(own, project, name);
  await compile(older, project, 'node.json');
});

const JAVASCRIPT = readFileSync(new URL('support/use-package.mjs', import.meta.url), 'utf8');

for (const [version, node] of [
  ['v20', node20],
  ['v26', node26],
] as const) {
  const missing = node === undefined && 'no Node 20 is installed here: NOT TESTED';
  test(`plain JavaScript on Node ${version} uses the package`, { skip: missing }, async () => {
    const { number } = await makeSender(clientOf(harness));
    project.write('use.mjs', JAVASCRIPT);
    const ws = createRequire(import.meta.url).resolve('ws');
    const args = [harness.url, harness.account.test_key, number.id, ws];
    assert.equal(await runNode(node as string, project, 'use.mjs', args), `used by ${version}\n`);
    project.write('use.cjs', `console.log(typeof require('@dialplane/sdk').Dialplane)`);
    assert.match(await runNode(node as string, project, 'use.cjs', []), /^function$/m);
  });
}
