import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createCaller } from '../support/caller.ts';
import { startCli } from '../support/cli-process.ts';
import { until } from '../support/jobs.ts';
import { makeScratch } from '../support/scratch.ts';

const scratch = makeScratch('stop');
after(() => scratch.remove());

let installs = 0;
const newInstall = () => join(scratch.path, `${++installs}`);

test('an orderly stop logs no warning, whatever the connections were doing', async () => {
  const folder = newInstall();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const program = startCli({ DIALPLANE_DATA: folder, LOG_LEVEL: 'warn' });
    const url = await program.ready();
    const { test_key } = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8'));
    const call = createCaller(url, test_key);
    // Many connections, some of them still busy when the stop begins.
    const calls = Array.from({ length: 40 }, () => call('GET', '/v1/tenants').catch(() => undefined));
    await calls[0];
    const { code } = await program.ended(signal);
    await Promise.all(calls);
    assert.equal(code, 0, program.text());
    assert.doesNotMatch(program.text(), /"level":[456]0/);
  }
});

/** Stops a first start at one of its moments. */
async function callOff(signal: NodeJS.Signals, isMoment: (folder: string, text: string) => boolean) {
  const folder = newInstall();
  const program = startCli({ DIALPLANE_DATA: folder, LOG_LEVEL: 'warn' });
  await until('the moment has come', () => isMoment(folder, program.text()), 90_000);
  const { code } = await program.ended(signal);
  return { folder, code, text: program.text() };
}

const has = (folder: string, name: string) =>
  existsSync(folder) && readdirSync(folder).some((each) => each.startsWith(name));

// Both signals have the same listener. A start takes seconds of the processor, so each moment is tested with one
// signal.
for (const [signal, moment, isMoment] of [
  ['SIGINT', 'the folder is taken', (folder: string) => has(folder, 'lock')],
  ['SIGTERM', 'the cluster is being made', (_: string, text: string) => text.includes('making the database cluster')],
  [
    'SIGINT',
    'the database is there',
    (folder: string) => has(folder, 'postgres.log') || has(join(folder, 'postgres'), 'postgres.log'),
  ],
] as const) {
  test(`${signal} as soon as ${moment} stops the start: no word of being ready, no stack, code 0`, async () => {
    const { folder, code, text } = await callOff(signal, isMoment);
    assert.equal(code, 0, text);
    assert.doesNotMatch(text, /ready|^\s+at |"level":[456]0/m);
    const next = startCli({ DIALPLANE_DATA: folder });
    await next.ready();
    assert.equal((await next.ended('SIGTERM')).code, 0);
  });
}
