import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findViolations } from './check-boundaries.ts';

/**
 * Returns the lines of a file that are refused, with the messages. Each check starts the compiler, so a file has many
 * cases, one a line. The files that it imports need not exist: only paths are judged.
 */
function refusals(path: string, lines: readonly string[]): [number, string][] {
  return findViolations(new Map([[path, lines.join('\n')]])).map(({ line, message }) => [line, message]);
}

const OPERATION = 'src/domain/messaging/messages/send-message.ts';
const ELSEWHERE = 'src/queue/worker/workers.ts';
const importsOf = (...specifiers: string[]) => specifiers.map((specifier) => `import '${specifier}';`);

test('an import against the layers is found in each of its forms, with its line', () => {
  const target = '../../../server/context.ts';
  const forms = [
    `import { context } from '${target}';`,
    `import type { Context } from '${target}';`,
    `import { type Context } from '${target}';`,
    `import '${target}';`,
    `export const f = async () => (await import('${target}')).x;`,
    `export const g = () => import(\`${target}\`);`,
    `export { context } from '${target}';`,
    `export * from '${target}';`,
    `export type { Context } from '${target}';`,
    `export type C = import('${target}').Context;`,
  ];
  const texts = [`/* import '${target}' */`, `const s = "import '${target}'";`];
  const message = 'domain may not import server (src/server/context.ts)';
  assert.deepEqual(
    refusals(OPERATION, [...forms, ...texts]),
    forms.map((_, index) => [index + 1, message]),
  );
});

/** Imports of files, each allowed or refused by a separate rule. */
const IMPORTS: readonly { path: string; allowed?: readonly string[]; refused?: readonly string[] }[] = [
  { path: 'src/lib/ids.ts', refused: ['../db/pool.ts', '../../scripts/check.ts', './ids.test.ts', '../none/a.ts'] },
  { path: 'src/lib/ids.test.ts', allowed: ['../server/context.ts'] },
  { path: 'src/queue/worker.ts', allowed: ['../db/pool.ts'], refused: ['../http/edge/app.ts'] },
  { path: 'src/domain/voice/calls/routes.ts', allowed: ['../../../http/schemas/pagination.ts'] },
  { path: 'src/http/edge/app.ts', refused: ['../../domain/voice/index.ts', '../../carriers/telnyx/client.ts'] },
  { path: 'src/carriers/telnyx/client.ts', allowed: ['./api.ts'], refused: ['../simulated/timeline.ts'] },
  { path: 'src/server/lifecycle/start.ts', allowed: ['../../carriers/telnyx/client.ts'], refused: ['../../main.ts'] },
  { path: 'src/main.ts', allowed: ['../package.json'] },
  { path: 'packages/sdk/webhooks.js', allowed: ['./signature.js', '../../openapi.json'] },
  { path: 'packages/sdk/index.js', refused: ['../../src/lib/errors/errors.ts', '../softphone/src/index.js'] },
  {
    path: 'src/domain/voice/calls/place/place-call.ts',
    allowed: ['../../recordings/queries.ts', '../execution/executor.ts', '../../../numbers/index.ts'],
    refused: [
      '../../../numbers/phone-numbers/queries.ts',
      '../../../compliance/index.ts',
      '../inputs/call-inputs.ts',
      '../../relays/routes.ts',
    ],
  },
  {
    path: 'src/domain/voice/calls/execution/executor.ts',
    allowed: ['../../media-streams/settle-streams.ts', '../../queues/entry-queries.ts', '../state/call.ts'],
    refused: ['../../media-streams/start-stream.ts', '../place/place-call.ts', '../inputs/call-inputs.ts'],
  },
  {
    path: 'src/domain/voice/calls/machine/hold.ts',
    allowed: ['../state/call.ts', './talking.ts'],
    refused: ['../queries.ts', '../../web-clients/rules.ts'],
  },
  { path: 'src/domain/voice/web-clients/queries.ts', refused: ['./exchange.ts', '../calls/execution/executor.ts'] },
];

test('layers, adapters, packages and domain modules import along the tables only', () => {
  for (const { path, allowed = [], refused = [] } of IMPORTS) {
    const found = refusals(path, importsOf(...refused, ...allowed)).map(([line]) => line);
    assert.deepEqual(
      found,
      refused.map((_, index) => index + 1),
      path,
    );
  }
});

test('a file without a layer, a module without a place in the table, and "export *" of a module are refused', () => {
  for (const [path, text] of [
    ['src/elsewhere/thing.ts', ''],
    ['src/domain/faxes/a.ts', ''],
    ['src/domain/voice/index.ts', `export * from './calls/rules.ts';`],
  ] as const) {
    assert.equal(refusals(path, [text]).length, 1, path);
  }
  assert.deepEqual(refusals('src/domain/voice/index.ts', [`export { a } from './calls/rules.ts';`]), []);
});

type Privilege = {
  readonly message: RegExp;
  readonly uses: readonly string[];
  readonly others?: readonly string[];
  readonly at: string;
  /** Files that may. */
  readonly homes: readonly string[];
};

const PRIVILEGES: Readonly<Record<string, Privilege>> = {
  'imports of Fastify': {
    message: /import fastify/,
    uses: ["import 'fastify';", "import type { X } from 'fastify-plugin';", "import '@fastify/swagger';"],
    at: OPERATION,
    homes: ['src/http/app.ts', 'src/domain/voice/calls/routes.ts', 'src/realtime/plugin.ts'],
  },
  'imports of TypeBox': {
    message: /only src\/lib\/type\.ts imports TypeBox/,
    uses: ["import type { Static } from 'typebox';", "export * from 'typebox/type';"],
    at: ELSEWHERE,
    homes: ['src/lib/type.ts'],
  },
  'loads of TypeBox by the provider of routes': {
    message: /only src\/lib\/type\.ts imports TypeBox/,
    uses: ["import { type Static } from '@fastify/type-provider-typebox';"],
    others: ["import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';"],
    at: 'src/http/edge/types.ts',
    homes: [],
  },
  'loads of undici': {
    message: /only src\/lib\/http\/undici\.ts loads undici/,
    uses: [
      "import { type Pool } from 'undici';",
      "export { Agent } from 'undici';",
      "import Pool2 from 'undici/lib/dispatcher/pool.js';",
      "export const f = async () => (await import('undici')).Pool;",
    ],
    others: ["import type { Pool } from 'undici';", "export type P = import('undici').Pool;"],
    at: ELSEWHERE,
    homes: ['src/lib/http/undici.ts'],
  },
  'SQL statements': {
    message: /SQL stands only in/,
    uses: [
      'export const a = `select id from calls where ledger_id = $1`;',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: source text of the checked file
      'export const b = `update ${TABLE} as c set state = $1`;',
      "export const c = 'INSERT INTO calls values ($1)';",
      "export const d = 'delete from calls';",
      "export const e = 'with recursive tree(id) as materialized (select 1) select 1';",
      'export const f = sql`select 1`;',
    ],
    others: [
      "export const g = ['Select a number.', 'update the address', 'with no body', 'delete the endpoint first'];",
    ],
    at: OPERATION,
    homes: ['src/domain/voice/queries.ts', 'src/domain/voice/calls/list-queries.ts', 'src/queue/jobs/job-claims.ts'],
  },
  'names of the queue’s tables': {
    message: /tables jobs and lanes/,
    uses: [
      "export const a = 'insert into jobs (id) values ($1)';",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: source text of the checked file
      'export const b = `, moved as (update lanes l set pending = 1 from ${SOURCE})`;',
      "export const c = 'left join jobs j on j.id = m.job_id';",
    ],
    others: [
      "export const d = ['select jobs from workers', 'select 1 from lanes_of_highways', 'the update of lanes'];",
    ],
    at: 'src/domain/messaging/dispatch/queries.ts',
    homes: ['src/queue/lanes/lane-sql.ts'],
  },
  'readings of the environment': {
    message: /read process\.env/,
    uses: [
      'export const p = process.env.PORT;',
      'export const { env } = process;',
      `import { env as e } from 'node:process';`,
    ],
    others: ['export const q = process.pid;'],
    at: 'src/server/lifecycle/start.ts',
    homes: ['src/server/settings/config.ts'],
  },
  'readings of a clock, and timers': {
    message: /read a clock or set a timer/,
    uses: [
      'export const a = Date.now();',
      'export const b = performance.now();',
      'export const c = new Date();',
      'export const d = setTimeout(() => undefined, 5);',
      'export const e = setInterval(() => undefined, 5);',
      'export const f = AbortSignal.timeout(5);',
      `import { setTimeout as sleep } from 'node:timers/promises';`,
    ],
    others: [
      'export const of = (ms: number, socket: Socket) => [new Date(ms), socket.setTimeout(5)];',
      `import { setImmediate as turn } from 'node:timers/promises';`,
    ],
    at: ELSEWHERE,
    homes: ['src/lib/time/system-time.ts'],
  },
  'imports of a computed path': {
    message: /needs a literal path/,
    uses: ['export const f = (name: string) => import(name);'],
    at: ELSEWHERE,
    homes: [],
  },
};

describe('only the files of their own table have', () => {
  for (const [what, { message, uses, others = [], at, homes }] of Object.entries(PRIVILEGES)) {
    test(what, () => {
      const found = refusals(at, [...uses, ...others]);
      assert.deepEqual(
        found.map(([line]) => line),
        uses.map((_, index) => index + 1),
      );
      for (const [, said] of found) assert.match(said, message);
      for (const home of homes) assert.deepEqual(refusals(home, uses), [], home);
    });
  }
});

test('tests and their support use the time that skips, outside of test/realtime/ and the files of a list', () => {
  const uses = [
    `import { setTimeout as pause } from 'node:timers/promises';`,
    'export const late = () => performance.now() > 5;',
    'export const limit = () => AbortSignal.timeout(5);',
    'export const timer = setInterval(() => undefined, 5);',
  ];
  const others = ["const program = 'setInterval(() => {}, 1000)';", "import { sleep } from './stepping-time.ts';"];
  for (const path of [
    'src/queue/worker.test.ts',
    'test/scenarios/outage.test.ts',
    'test/support/streams.ts',
    'packages/softphone/test/lines.test.ts',
    'scripts/bootstrap/run.test.ts',
  ]) {
    const found = refusals(path, [...uses, ...others]);
    assert.deepEqual(
      found.map(([line]) => line),
      uses.map((_, index) => index + 1),
      path,
    );
    for (const [, said] of found) assert.match(said, /outside of test\/realtime\//);
  }
  for (const path of ['test/realtime/outage.test.ts', 'test/support/until.ts', 'test/sip/engine.ts']) {
    assert.deepEqual(refusals(path, uses), [], path);
  }
});
