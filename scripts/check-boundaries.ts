/**
 * Keeps dependencies pointing one way. The tables list the allowed imports; everything else is refused, and a new
 * folder under src/ is refused until it has a place in them. Tests, scripts and benchmarks may import anything. Tests
 * use the time of test/support/stepping-time.ts, which skips waits. REAL_TIME lists the exceptions.
 */
import { posix } from 'node:path';
import { findUses, type Uses } from './module-uses.ts';
import { isTestFile, readSources, type Sources } from './source-files.ts';

const GROUND = ['lib', 'db', 'outbound', 'ports', 'audio', 'speech', 'blobs'];
const PLATFORM = [...GROUND, 'context', 'queue', 'test clock', 'http'];
const PRODUCT = [...PLATFORM, 'domain', 'media', 'realtime', 'web client'];

/**
 * Layers from the bottom up; a file belongs to the one layer whose pattern it matches, and may import its own layer.
 */
const LAYERS: readonly { name: string; files: RegExp; mayImport: readonly string[] }[] = [
  { name: 'lib', files: /^src\/lib\//, mayImport: [] },
  { name: 'db', files: /^src\/db\//, mayImport: ['lib'] },
  { name: 'outbound', files: /^src\/outbound\//, mayImport: ['lib'] },
  { name: 'ports', files: /^src\/carriers\/ports\//, mayImport: ['lib', 'db'] },
  { name: 'audio', files: /^src\/audio\//, mayImport: ['lib'] },
  { name: 'speech', files: /^src\/speech\//, mayImport: ['lib', 'db', 'audio'] },
  { name: 'blobs', files: /^src\/blobs\/[^/]+\.ts$/, mayImport: ['lib'] },
  { name: 'blob adapters', files: /^src\/blobs\/adapters\//, mayImport: ['lib', 'blobs'] },
  { name: 'context', files: /^src\/context\.ts$/, mayImport: GROUND },
  { name: 'queue', files: /^src\/queue\//, mayImport: [...GROUND, 'context'] },
  { name: 'test clock', files: /^src\/test-clock\//, mayImport: [...GROUND, 'context', 'queue'] },
  { name: 'http', files: /^src\/http\//, mayImport: [...GROUND, 'context', 'queue'] },
  {
    name: 'carriers',
    files: /^src\/carriers\/(adapter\.ts$|connections\/|inbox\/|book\/|call-control\/)/,
    mayImport: PLATFORM,
  },
  { name: 'domain', files: /^src\/domain\//, mayImport: PLATFORM },
  { name: 'media', files: /^src\/gateway\/media\//, mayImport: [...PLATFORM, 'domain'] },
  { name: 'realtime', files: /^src\/realtime\//, mayImport: [...PLATFORM, 'domain'] },
  { name: 'web client', files: /^src\/gateway\/web-client\//, mayImport: [...PLATFORM, 'domain', 'media'] },
  {
    name: 'adapters',
    files: /^src\/carriers\/(?!ports\/|connections\/|inbox\/|book\/|call-control\/)[^/]+\//,
    mayImport: [...PLATFORM, 'carriers'],
  },
  { name: 'server', files: /^src\/server\//, mayImport: [...PRODUCT, 'carriers', 'adapters', 'blob adapters'] },
  { name: 'main', files: /^src\/(main\.ts$|cli\/)/, mayImport: [...PRODUCT, 'carriers', 'server'] },
];

/** Domain module -> modules whose index.ts it may import. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  audit: [],
  events: ['audit'],
  accounts: ['events', 'audit'],
  billing: ['events'],
  tenants: ['accounts', 'events', 'audit'],
  contacts: ['tenants', 'events', 'audit'],
  search: ['tenants', 'contacts'],
  compliance: ['tenants', 'events', 'billing'],
  numbers: ['compliance', 'tenants', 'events', 'billing', 'audit'],
  messaging: ['numbers', 'contacts', 'compliance', 'tenants', 'events', 'billing', 'audit'],
  voice: ['messaging', 'numbers', 'contacts', 'tenants', 'accounts', 'events', 'billing', 'audit'],
  privacy: ['voice', 'messaging', 'contacts', 'tenants', 'events', 'audit'],
};

/**
 * Floors of the module voice, from the bottom up. A file is on the first floor whose pattern its path within the module
 * matches, or else on the floor of operations. It may import its own floor and those below. So code that writes about a
 * stream, a queue or a transcript for a step of a call is below the executor. Code that starts a step is above it.
 */
const VOICE_FLOORS: readonly { name: string; files?: RegExp }[] = [
  { name: 'the state of calls', files: /^calls\/state\// },
  { name: 'the machine', files: /^calls\/machine\// },
  {
    name: 'rows',
    files: new RegExp(
      [
        '(^|/)(?!command-)([\\w-]+-)?(schema|rules|queries|signal)\\.ts$',
        '^(event-data|conversation-previews)\\.ts$',
        '^calls/(bounds|customer|machine-detection|commands/lane-groups|execution/(new-call|call-at-start))\\.ts$',
        '^(queues/plan-decision|post-call/model-attempt|recordings/audio-link)\\.ts$',
      ].join('|'),
    ),
  },
  {
    name: 'writes of a step',
    files: /\/(settle-\w+|transcribe|take-utterance|keep-audio|summarize-call|post-call-jobs|emergency-notice)\.ts$/,
  },
  { name: 'the executor', files: /^calls\/execution\// },
  { name: 'operations' },
  { name: 'inputs', files: /^calls\/inputs\/|\/heal-\w+\.ts$/ },
  { name: 'entries', files: /(^|\/)(index|jobs|([\w-]+-)?routes)\.ts$/ },
];
const OPERATIONS = VOICE_FLOORS.findIndex(({ files }) => files === undefined);

/** Privileges: only the listed files under src/ may do these things. */
const PRIVILEGES: readonly { use: keyof Uses; files: readonly RegExp[]; message: string }[] = [
  {
    use: 'fastify',
    files: [/\/routes\.ts$/, /\/plugin\.ts$/, /^src\/http\//],
    message: 'only routes.ts, plugin.ts and src/http/ import fastify',
  },
  {
    use: 'sql',
    files: [/\/queries\.ts$/, /-queries\.ts$/, /^src\/queue\//, /^src\/test-clock\//, /^src\/db\//],
    message: 'SQL stands only in queries.ts, *-queries.ts, src/queue/, src/test-clock/ and src/db/',
  },
  {
    use: 'queueTables',
    files: [/^src\/queue\//],
    message: 'only src/queue/ names the tables jobs and lanes: use its functions and SQL builders',
  },
  {
    use: 'environment',
    files: [/^src\/server\/settings\/(config|client-environment)\.ts$/],
    message: 'only src/server/settings/config.ts and src/server/settings/client-environment.ts read process.env',
  },
  {
    use: 'typebox',
    files: [/^src\/lib\/type\.ts$/],
    message: 'only src/lib/type.ts imports TypeBox: use its Type, which loads none of the 670 modules',
  },
  {
    use: 'undici',
    files: [/^src\/lib\/http\/undici(-parts\.d)?\.ts$/],
    message: 'only src/lib/http/undici.ts loads undici: use its pools, agents and request',
  },
  {
    use: 'time',
    files: [/^src\/lib\/time\/(system-)?time\.ts$/, /^src\/http\/site\/browser\//],
    message: 'only src/lib/time/time.ts and system-time.ts read a clock or set a timer: tests can step their functions',
  },
  {
    use: 'computedImports',
    // The build asks the installer of the checkout. The installer is not a part of the program.
    files: [/^src\/server\/console\/console-build\.ts$/],
    message: 'an import needs a literal path, or nothing can check it',
  },
];

/** Test code that may read the machine's clock and set its timers. All other tests use a time that skips waits. */
const REAL_TIME: readonly RegExp[] = [
  /^test\/realtime\//,
  // The time of the tests, which skips waits, and functions that wait in this time.
  /^test\/support\/(stepping-time|stepping-time\.test|stopwatch|until|settled|in-flight|property)\.ts$/,
  // Programs that are killed, engines, clusters and installs: suites with separate commands.
  /^test\/(crash|ha|pack|rolling|sip)\//,
  // An identity provider in a separate process, whose clock is wrong on purpose.
  /^test\/support\/identity-provider-program\.ts$/,
  // The command that runs the tests.
  /^scripts\/testing\//,
  // The client is published, and waits in the time of its user's machine.
  /^packages\/sdk\/test\//,
];

/** Published packages are clients of the API: they may use openapi.json, and nothing of the server or of each other. */
const PACKAGE = /^packages\/[^/]+\//;

/** A broken rule, with its path and its line, counted from 1. */
export type Violation = { path: string; line: number; message: string };

/** Returns every breach of the tables above in `sources`, in the order of the files. */
export function findViolations(sources: Sources): Violation[] {
  const violations: Violation[] = [];
  const isChecked = (path: string) => path.startsWith('src/') || PACKAGE.test(path) || isTestFile(path);
  const checked = new Map([...sources].filter(([path]) => isChecked(path)));
  for (const [path, uses] of findUses(checked)) {
    const report = (line: number, message: string) => violations.push({ path, line, message });
    if (isTestFile(path)) {
      checkTestTime(path, uses, report);
      continue;
    }
    if (path.startsWith('src/')) checkPlace(path, uses, report);
    for (const { specifier, line } of uses.imports) {
      if (!specifier.startsWith('.')) continue;
      const target = posix.join(posix.dirname(path), specifier);
      const message = refusal(path, target);
      if (message !== undefined) report(line, message);
    }
  }
  return violations;
}

function checkPlace(path: string, uses: Uses, report: (line: number, message: string) => void): void {
  if (layerOf(path) === undefined) report(1, 'belongs to no layer: give it one in scripts/check-boundaries.ts');
  const module = moduleOf(path);
  if (module !== undefined && !(module in MODULES)) report(1, `the domain module "${module}" is not in the table`);
  if (path === `src/domain/${module}/index.ts`) {
    for (const line of uses.starExports) report(line, 'a module names what it exports, no "export *"');
  }
  for (const { use, files, message } of PRIVILEGES) {
    if (files.some((pattern) => pattern.test(path))) continue;
    for (const place of uses[use]) report(typeof place === 'number' ? place : place.line, message);
  }
}

function checkTestTime(path: string, { time }: Uses, report: (line: number, message: string) => void): void {
  if (REAL_TIME.some((pattern) => pattern.test(path))) return;
  const message = 'a test outside of test/realtime/ waits by test/support/ and reads the time by src/lib/time/time.ts';
  for (const line of time) report(line, message);
}

/** Returns why `path` may not import `target` (both relative to the project), or undefined if it may. */
function refusal(path: string, target: string): string | undefined {
  const [packageFolder] = PACKAGE.exec(path) ?? [];
  if (packageFolder !== undefined) {
    const isAllowed = target.startsWith(packageFolder) || target === 'openapi.json';
    return isAllowed ? undefined : `a package may import its own files and openapi.json, not ${target}`;
  }
  if (!target.startsWith('src/')) {
    const isPackage = target === 'package.json';
    return isPackage ? undefined : `src/ may not import ${target}, which is outside of it`;
  }
  if (isTestFile(target)) return `${target} is for tests only`;
  const from = layerOf(path);
  const to = layerOf(target);
  if (from === undefined || to === undefined) return to === undefined ? `${target} belongs to no layer` : undefined;
  if (from.name !== to.name) {
    return from.mayImport.includes(to.name) ? undefined : `${from.name} may not import ${to.name} (${target})`;
  }
  if (from.name === 'adapters') return adapterRefusal(path, target);
  return from.name === 'domain' ? moduleRefusal(path, target) : undefined;
}

function adapterRefusal(path: string, target: string): string | undefined {
  const adapter = (file: string) => file.split('/')[2];
  return adapter(path) === adapter(target) ? undefined : `only src/server/ imports an adapter (${target})`;
}

function moduleRefusal(path: string, target: string): string | undefined {
  const from = moduleOf(path) ?? '';
  const to = moduleOf(target) ?? '';
  if (from === to) return from === 'voice' ? floorRefusal(path, target) : undefined;
  if (!MODULES[from]?.includes(to)) return `the module ${from} may not import ${to} (${target})`;
  const index = `src/domain/${to}/index.ts`;
  return target === index ? undefined : `${target} is internal to ${to}: import ${index}`;
}

function floorRefusal(path: string, target: string): string | undefined {
  const [from, to] = [floorOf(path), floorOf(target)];
  if (to <= from) return undefined;
  return `${VOICE_FLOORS[from]?.name} of voice may not import ${VOICE_FLOORS[to]?.name} (${target})`;
}

/** Returns the floor of a file of the module voice, counted from the bottom. */
function floorOf(path: string): number {
  const within = path.slice('src/domain/voice/'.length);
  const found = VOICE_FLOORS.findIndex(({ files }) => files?.test(within));
  return found === -1 ? OPERATIONS : found;
}

function layerOf(path: string) {
  return LAYERS.find((layer) => layer.files.test(path));
}

function moduleOf(path: string): string | undefined {
  return /^src\/domain\/([^/]+)\//.exec(path)?.[1];
}

function main(): void {
  const violations = findViolations(readSources('.'));
  for (const { path, line, message } of violations) console.log(`${path}:${line} ${message}`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}

if (import.meta.main) main();
