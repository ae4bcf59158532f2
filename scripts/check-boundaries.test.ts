import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findViolations } from './check-boundaries.ts';

/** Returns the messages for one file. The files that it imports need not exist: only paths are judged. */
function refusals(path: string, text: string): string[] {
  return findViolations(new Map([[path, text]])).map((violation) => violation.message);
}

const OPERATION = 'src/domain/messaging/messages/send-message.ts';
const UPWARD = 'domain may not import server (src/server/context.ts)';

describe('an import against the layers is found', () => {
  const target = '../../../server/context.ts';
  const forms = {
    'a named import': `import { context } from '${target}';`,
    'a type import': `import type { Context } from '${target}';`,
    'an inline type import': `import { type Context } from '${target}';`,
    'a side-effect import': `import '${target}';`,
    'a dynamic import': `export async function f() {\n  return (await import('${target}')).x;\n}`,
    'a dynamic import in a template': `export const f = () => import(\`${target}\`);`,
    'a re-export': `export { context } from '${target}';`,
    'a star re-export': `export * from '${target}';`,
    'a type re-export': `export type { Context } from '${target}';`,
    'an import type': `export type C = import('${target}').Context;`,
  };
  for (const [form, text] of Object.entries(forms)) {
    test(`as ${form}`, () => assert.deepEqual(refusals(OPERATION, text), [UPWARD]));
  }

  test('with its line', () => {
    const text = `/* import '${target}' */\nconst s = "import '${target}'";\n\nimport '${target}';`;
    const violations = findViolations(new Map([[OPERATION, text]]));
    assert.deepEqual(violations, [{ path: OPERATION, line: 4, message: UPWARD }]);
  });

  test('a computed path is refused, because it cannot be checked', () => {
    assert.equal(refusals('src/db/a.ts', 'export const f = (name: string) => import(name);').length, 1);
  });
});

describe('layers', () => {
  const allowed: [string, string][] = [
    ['src/db/pool.ts', '../lib/ids.ts'],
    ['src/carriers/ports/numbers.ts', '../../lib/phone.ts'],
    ['src/queue/worker.ts', '../db/pool.ts'],
    ['src/queue/worker.ts', '../context.ts'],
    ['src/context.ts', './carriers/ports/numbers.ts'],
    ['src/carriers/ports/voice.ts', './outcome.ts'],
    ['src/http/openapi/openapi.ts', '../edge/app.ts'],
    ['src/http/schemas/pagination.ts', '../../lib/errors.ts'],
    ['src/domain/voice/calls/routes.ts', '../../../http/schemas/pagination.ts'],
    ['src/server/routes.ts', '../domain/voice/index.ts'],
    ['src/carriers/simulated/timeline.ts', '../../queue/jobs/enqueue.ts'],
    ['src/carriers/simulated/timeline.ts', './inventory.ts'],
    ['src/server/context.ts', '../carriers/telnyx/client.ts'],
    ['src/speech/speech-tones.ts', '../audio/pcm.ts'],
    ['src/domain/voice/recordings/routes.ts', '../../../blobs/blob-store.ts'],
    ['src/server/open-blobs.ts', '../blobs/adapters/s3-store.ts'],
    ['src/main.ts', './server/start.ts'],
    ['src/main.ts', '../package.json'],
  ];
  for (const [path, specifier] of allowed) {
    test(`${path} may import ${specifier}`, () => assert.deepEqual(refusals(path, `import '${specifier}';`), []));
  }

  const refused: [string, string][] = [
    ['src/lib/ids.ts', '../db/pool.ts'],
    ['src/db/pool.ts', '../queue/worker.ts'],
    ['src/db/pool.ts', '../outbound/client.ts'],
    ['src/carriers/ports/voice.ts', '../../domain/voice/index.ts'],
    ['src/queue/worker.ts', '../http/schemas/pagination.ts'],
    ['src/context.ts', './carriers/simulated/timeline.ts'],
    ['src/audio/pcm.ts', '../speech/espeak.ts'],
    ['src/blobs/blob-store.ts', './adapters/folder-store.ts'],
    ['src/domain/voice/recordings/routes.ts', '../../../blobs/adapters/folder-store.ts'],
    ['src/http/pages/event-page.ts', '../../domain/events/index.ts'],
    ['src/http/openapi/webhooks.ts', '../../realtime/hub.ts'],
    ['src/http/sockets/socket-server.ts', '../../gateway/media/gateway.ts'],
    ['src/http/edge/app.ts', '../../server/routes.ts'],
    ['src/carriers/ports/voice.ts', '../simulated/index.ts'],
    ['src/http/schemas/pagination.ts', '../../domain/voice/index.ts'],
    ['src/domain/voice/calls/place-call.ts', '../../../carriers/simulated/timeline.ts'],
    ['src/gateway/media/gateway.ts', '../../carriers/simulated/timeline.ts'],
    ['src/http/edge/app.ts', '../../carriers/telnyx/client.ts'],
    ['src/main.ts', './carriers/telnyx/client.ts'],
    ['src/carriers/telnyx/client.ts', '../simulated/timeline.ts'],
    ['src/carriers/telnyx/client.ts', '../../domain/voice/index.ts'],
    ['src/carriers/telnyx/client.ts', '../../gateway/media/gateway.ts'],
    ['src/carriers/telnyx/client.ts', '../../gateway/web-client/port.ts'],
    ['src/server/start.ts', '../main.ts'],
    ['src/lib/ids.ts', '../../scripts/check.ts'],
    ['src/lib/ids.ts', './ids.test.ts'],
    ['src/lib/ids.ts', '../elsewhere/thing.ts'],
    ['src/elsewhere/thing.ts', 'node:fs'],
    ['packages/console/src/api/client.ts', '../../../../src/lib/errors.ts'],
    ['packages/sdk/webhooks.js', '../../src/lib/errors.ts'],
    ['packages/sdk/webhooks.js', '../softphone/src/index.js'],
  ];
  for (const [path, specifier] of refused) {
    test(`${path} may not import ${specifier}`, () => {
      assert.equal(refusals(path, `import '${specifier}';`).length, 1);
    });
  }

  test('tests may import anything', () => {
    assert.deepEqual(refusals('src/lib/ids.test.ts', `import '../server/context.ts';`), []);
  });
});

describe('domain modules', () => {
  const voice = 'src/domain/voice/calls/place-call.ts';

  test('one module uses another through its index', () => {
    assert.deepEqual(refusals(voice, `import '../../numbers/index.ts';`), []);
  });
  test('one module may not reach into another', () => {
    assert.deepEqual(refusals(voice, `import '../../numbers/phone-numbers/queries.ts';`), [
      'src/domain/numbers/phone-numbers/queries.ts is internal to numbers: import src/domain/numbers/index.ts',
    ]);
  });
  test('an edge missing in the table is refused', () => {
    assert.equal(refusals(voice, `import '../../compliance/index.ts';`).length, 1);
    assert.equal(refusals('src/domain/tenants/tenants/a.ts', `import '../../billing/index.ts';`).length, 1);
  });
  test('slices of one module may import each other', () => {
    assert.deepEqual(refusals(voice, `import '../recordings/queries.ts';`), []);
  });
  test('a module that is not in the table is refused', () => {
    assert.equal(refusals('src/domain/faxes/a.ts', 'export const a = 1;').length, 1);
  });
  test('an index exports by name', () => {
    assert.equal(refusals('src/domain/voice/index.ts', `export * from './calls/rules.ts';`).length, 1);
    assert.deepEqual(refusals('src/domain/voice/index.ts', `export { a } from './calls/rules.ts';`), []);
  });
});

describe('fastify', () => {
  for (const name of ['fastify', 'fastify-plugin', '@fastify/swagger']) {
    test(`${name} stays at the edge`, () => {
      assert.equal(refusals(OPERATION, `import type { X } from '${name}';`).length, 1);
      for (const path of ['src/http/app.ts', 'src/domain/voice/calls/routes.ts', 'src/realtime/plugin.ts']) {
        assert.deepEqual(refusals(path, `import type { X } from '${name}';`), []);
      }
    });
  }
});

describe('packages of which the program loads a part', () => {
  const typebox = [
    "import { Type } from 'typebox';",
    "import type { Static } from 'typebox';",
    "export * from 'typebox/type';",
    "import { Type } from '@fastify/type-provider-typebox';",
    "import { type Static } from '@fastify/type-provider-typebox';",
  ];
  for (const text of typebox) {
    test(`TypeBox is imported by src/lib/type.ts only: ${text}`, () => {
      const message = 'only src/lib/type.ts imports TypeBox: use its Type, which loads none of the 670 modules';
      assert.deepEqual(refusals('src/http/edge/types.ts', text), [message]);
      if (!text.includes('fastify')) assert.deepEqual(refusals('src/lib/type.ts', text), []);
    });
  }
  test('the type of the route provider loads no TypeBox', () => {
    const text = "import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';";
    assert.deepEqual(refusals('src/http/edge/types.ts', text), []);
  });

  const undici = [
    "import { Pool } from 'undici';",
    "import { type Pool } from 'undici';",
    "export { Agent } from 'undici';",
    "import Pool from 'undici/lib/dispatcher/pool.js';",
    "export const f = async () => (await import('undici')).Pool;",
  ];
  for (const text of undici) {
    test(`undici is loaded by src/lib/undici.ts only: ${text}`, () => {
      const message = 'only src/lib/undici.ts loads undici: use its pools, agents and request';
      assert.deepEqual(refusals('src/outbound/exchange.ts', text), [message]);
      assert.deepEqual(refusals('src/lib/undici.ts', text), []);
    });
  }
  test('types of undici may be imported anywhere', () => {
    for (const text of ["import type { Pool } from 'undici';", "export type { Pool } from 'undici';"]) {
      assert.deepEqual(refusals('src/outbound/exchange.ts', text), []);
    }
    assert.deepEqual(refusals('src/outbound/exchange.ts', "export type P = import('undici').Pool;"), []);
  });
});

describe('SQL', () => {
  const statements = [
    "'select 1'",
    '`select id from calls where ledger_id = $1`',
    '`\n  update calls set state = $1`',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text of the checked file
    '`update ${TABLE} as c set state = $1`',
    "'INSERT INTO calls values ($1)'",
    "'delete from calls'",
    "'with moved as (select 1) select * from moved'",
    "'with recursive tree(id) as materialized (select 1) select 1'",
    'sql`select 1`',
  ];
  for (const statement of statements) {
    test(`is found outside of queries.ts: ${JSON.stringify(statement)}`, () => {
      assert.equal(refusals(OPERATION, `export const q = ${statement};`).length, 1);
    });
  }
  for (const path of [
    'src/domain/a/queries.ts',
    'src/domain/voice/calls/list-queries.ts',
    'src/queue/jobs/job-claims.ts',
  ]) {
    test(`is at home in ${path}`, () => {
      const found = refusals(path, "export const q = 'select 1';").filter((message) => message.includes('SQL'));
      assert.deepEqual(found, []);
    });
  }
  test('an English sentence is not SQL', () => {
    for (const text of ['Select a number.', 'update the address', 'with no body', 'delete the endpoint first']) {
      assert.deepEqual(refusals(OPERATION, `export const q = '${text}';`), []);
    }
  });
});

describe('the tables of the queue', () => {
  const texts = [
    "'insert into jobs (id) values ($1)'",
    '`with gone as (delete from lanes where lane_key = $1) select 1`',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text of the checked file
    '`, moved as (\n  update lanes l set pending = 1 from ${SOURCE})`',
    "'left join jobs j on j.id = m.job_id'",
  ];
  const others = ["'select jobs from workers'", "'select 1 from lanes_of_highways'", "'the update of lanes'"];
  for (const text of texts) {
    test(`are named by src/queue/ only: ${JSON.stringify(text)}`, () => {
      const namesTable = (path: string) =>
        refusals(path, `export const q = ${text};`).some((message) => message.includes('tables jobs and lanes'));
      assert.equal(namesTable('src/domain/messaging/dispatch/queries.ts'), true);
      assert.equal(namesTable('src/carriers/simulated/voice/queries.ts'), true);
      assert.equal(namesTable('src/queue/lanes/lane-sql.ts'), false);
    });
  }
  test('other names that contain their words pass', () => {
    for (const text of others) {
      assert.deepEqual(refusals('src/domain/messaging/dispatch/queries.ts', `export const q = ${text};`), []);
    }
  });
});

describe('the environment', () => {
  const readers = [
    'export const p = process.env.PORT;',
    'export const { env } = process;',
    `import { env } from 'node:process';\nexport const p = env.PORT;`,
  ];
  for (const text of readers) {
    test(`is read by the configuration only: ${JSON.stringify(text)}`, () => {
      assert.equal(refusals('src/server/start.ts', text).length, 1);
      assert.deepEqual(refusals('src/server/config.ts', text), []);
    });
  }
  test('the other properties of process may be used', () => {
    assert.deepEqual(refusals('src/server/start.ts', 'export const p = process.pid;'), []);
  });
});

describe('the time', () => {
  const readers = [
    'export const at = Date.now();',
    'export const at = performance.now();',
    'export const at = new Date();',
    'export const timer = setTimeout(() => undefined, 5);',
    'export const timer = setInterval(() => undefined, 5);',
    'export const signal = AbortSignal.timeout(5);',
    `import { setTimeout as sleep } from 'node:timers/promises';\nexport { sleep };`,
  ];
  test('is read, and waited for, in src/lib/time/ only', () => {
    for (const text of readers) {
      assert.equal(refusals('src/queue/worker/workers.ts', text).length, 1, text);
      assert.deepEqual(refusals('src/lib/time/system-time.ts', text), [], text);
    }
  });
  test('a moment that is given, and a timer of a socket, may be used', () => {
    const text = 'export const of = (ms: number, socket: Socket) => [new Date(ms), socket.setTimeout(5)];';
    assert.deepEqual(refusals('src/queue/worker/workers.ts', text), []);
  });
});
