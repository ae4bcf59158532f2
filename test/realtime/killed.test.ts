/** An embedded install whose process is killed while it holds claimed work. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { CALL_TIMER } from '../../src/domain/voice/calls/execution/write-queries.ts';
import { startEmbeddedPostgres } from '../../src/server/embedded-postgres/start.ts';
import { type Caller, createCaller } from '../support/caller.ts';
import { type CliProcess, startCli } from '../support/cli-process.ts';
import type { Json } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { makeScratch } from '../support/scratch.ts';

const scratch = makeScratch('killed');
const programs: CliProcess[] = [];
after(() => {
  for (const { child } of programs) child.kill('SIGKILL');
  scratch.remove();
});

async function start(folder: string): Promise<{ program: CliProcess; call: Caller }> {
  const program = startCli({ DIALPLANE_DATA: folder, DIALPLANE_RATE_LIMIT: 'off' });
  programs.push(program);
  const url = await program.ready();
  const { test_key } = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8'));
  return { program, call: createCaller(url, test_key) };
}

/** Claims all work that is about to fall due, as a process does just before it is killed. */
async function claimDueWork(folder: string): Promise<number> {
  const postgres = await startEmbeddedPostgres({ folder, log: pino({ level: 'silent' }) });
  const client = new pg.Client({ connectionString: postgres.connectionString });
  await client.connect();
  const taken = `set lease_token = 'of the dead', run_at = now() + interval '10 minutes'`;
  const due = `run_at < now() + interval '8 seconds'`;
  const jobs = await client.query(`update jobs ${taken} where queue = 'voice' and ${due}`);
  const lanes = await client.query(`update lanes ${taken} where ${due}`);
  // A busy machine may start the next process only after the telephones would have stopped ringing.
  await client.query(
    `update jobs set run_at = run_at + interval '2 minutes', due_at = due_at + interval '2 minutes'
     where kind = $1 and lease_token is null`,
    [CALL_TIMER],
  );
  await client.end();
  await postgres.stop();
  return (jobs.rowCount ?? 0) + (lanes.rowCount ?? 0);
}

test('a call whose process was killed goes on as soon as the process starts again', async () => {
  const folder = join(scratch.path, 'install');
  const first = await start(folder);
  const tenant = await first.call('POST', '/v1/tenants', { body: { name: 'Tenant' } });
  const onSale = await first.call('GET', '/v1/phone_numbers/available?area_code=602&limit=1');
  const { phone_number } = onSale.body.data[0];
  const bought = await first.call('POST', '/v1/phone_numbers', { body: { tenant_id: tenant.body.id, phone_number } });
  const body = { from: bought.body.id, to: '+16025550120', connect_to: '+16025550121' };
  const placed = await first.call('POST', '/v1/calls', { body });
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  await first.program.ended('SIGKILL');
  assert.ok((await claimDueWork(folder)) > 0, 'the process held work');
  const second = await start(folder);
  let call: Json;
  const isDecided = async () => {
    call = (await second.call('GET', `/v1/calls/${placed.body.id}`)).body;
    return ['in_progress', 'completed'].includes(call.status);
  };
  await until('the parties talk', isDecided, 120_000);
  assert.equal(call.status, 'in_progress', `the call has ended: ${call.outcome}`);
  assert.equal((await second.program.ended('SIGTERM')).code, 0);
});
