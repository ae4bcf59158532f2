/** The output of the program from its start to its stop: the log on standard output, and the banner on a terminal. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import packageFile from '../../../package.json' with { type: 'json' };
import { startCli } from '../../../test/support/cli-process.ts';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import type { Json } from '../../../test/support/events.ts';
import { TEST_SECRET } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import { openSite, type Site } from '../../../test/support/product-process.ts';
import { missing } from '../../../test/support/programs.ts';

let site: Site;
before(async () => {
  site = await openSite();
});
after(() => site.close());

test('each log line names its node and version, from the roles at the start to SIGTERM and the stop', async () => {
  const program = startCli(
    {
      DATABASE_URL: site.databaseUrl,
      DIALPLANE_SECRET: TEST_SECRET,
      LOG_LEVEL: 'info',
      DIALPLANE_LAME_DUCK_SECONDS: '1',
    },
    ['--roles', 'api,gateway'],
  );
  const url = await program.ready();
  await fetch(`${url}/v1/tenants`);
  assert.equal((await program.ended('SIGTERM')).code, 0);
  const texts = program.text().split('\n');
  const log: Json[] = texts.filter((line) => line.startsWith('{"level"')).map((line) => JSON.parse(line));
  for (const { node, version } of log) {
    assert.deepEqual([node, version], [`${hostname()}-${program.child.pid}`, packageFile.version]);
  }
  // The web framework logs a line for each address that it listens on.
  const own = log.filter(({ msg }) => !msg.startsWith('Server listening'));
  const story = own.map(({ msg, roles, signal, lame_duck_ms }) => ({ msg, roles, signal, lame_duck_ms }));
  const line = (msg: string, more: object = {}) => ({
    ...{ msg, roles: undefined, signal: undefined, lame_duck_ms: undefined },
    ...more,
  });
  assert.deepEqual(story, [
    line('ready', { roles: ['api', 'gateway'] }),
    line('request'),
    line('stopping', { signal: 'SIGTERM' }),
    line('not ready; new connections are accepted until balancers notice', { lame_duck_ms: 1_000 }),
    line('waiting for the audio of running calls'),
    line('the audio of this node has ended'),
    line('stopped'),
  ]);
});

test('a start shows its banner on a terminal', { skip: missing('script') }, async () => {
  const main = fileURLToPath(new URL('../../main.ts', import.meta.url));
  // The program `script` runs a command on a new pseudo-terminal.
  const child = spawn('script', ['--quiet', '--return', '--command', `exec ${process.execPath} ${main} start`, '-'], {
    cwd: '/tmp',
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: site.databaseUrl,
      DIALPLANE_SECRET: TEST_SECRET,
      DIALPLANE_METRICS_PORT: 'off',
      LOG_LEVEL: 'silent',
      PORT: '0',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  closeAfterTests(() => child.kill('SIGKILL'));
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  const ended = once(child, 'close');
  await until('it is ready', () => /Dialplane is ready\.[\s\S]*Documentation {2}http/.test(text), 60_000);
  child.stdin.write('\u0003');
  const [code] = await ended;
  assert.equal(code, 0, text);
});
