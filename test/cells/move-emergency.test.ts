/** Calls to 911 that web clients dial while their account is paused for a move. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { moveAccount } from '../../src/server/cells/move/move-account.ts';
import { COMMAND_WITHIN_MS, type Place, startCellInstallation } from '../support/cell-installation.ts';
import { sql, until } from '../support/jobs.ts';
import { prepareMoves } from '../support/moves.ts';
import { skipWhile } from '../support/stepping-time.ts';
import { logIn } from '../support/web-clients.ts';

const installation = await startCellInstallation();
await installation.divide();
const { call, dialplane, process } = installation;
after(() => installation.close());
// The process serves web clients in its cells.
const [home, target]: readonly [Place, Place] = ['west', 'east'];
const { key, accountId, tenantId, dbOf, placeOf, ledgersOf, moveUntil } = await prepareMoves(installation, home);

const serving = { url: process.url, call: ((method, path) => call(method, path, { key })) as typeof call };
const made = await call('POST', '/v1/web_clients', { key, body: { tenant_id: tenantId } });
const logInHere = () => logIn(serving, made.body.id);
const countCalls = async () =>
  (await sql<{ count: number }>(dbOf(home), 'select count(*)::int as count from calls'))[0]?.count;

test('911 that is dialled in the pause and before the fence ends the move, and is connected', async () => {
  const client = await logInHere();
  const [ledger] = await ledgersOf(home);
  // A worker that is at work for long keeps the account from being quiet.
  await sql(
    dbOf(home),
    `insert into jobs (ledger_id, id, queue, kind, payload, run_at, due_at, lease_token)
     values ($1, 'slow', 'default', 'test.slow', 'null', clock_timestamp() + interval '1 hour', clock_timestamp(), 'slow')`,
    [ledger?.id],
  );
  let step = '';
  const moving = moveAccount({
    ...{ accountId, source: placeOf(home), target: placeOf(target), waitMs: 0, onProgress: () => undefined },
    onStep: (done) => {
      step = done;
      if (done === 'paused') client.send({ type: 'place', to: '911' });
    },
  });
  await skipWhile(assert.rejects(moving, /1 calls began before the pause/), COMMAND_WITHIN_MS);
  assert.equal(step, 'paused', 'the call waited until the account was quiet');
  await client.receive('dialing');
  await client.receive('answered');
  await sql(dbOf(home), `delete from jobs where id = 'slow'`);
  await client.close();
});

test('911 that is dialled behind the fence is refused in words at once, and is no call', async () => {
  await until('no call is left', async () => {
    const { body } = await call('GET', '/v1/calls?status=in_progress', { key });
    for (const { id } of body.data) await call('POST', `/v1/calls/${id}/hangup`, { key });
    return body.data.length === 0;
  });
  const [client, before] = [await logInHere(), await countCalls()];
  await moveUntil('fenced', [home, target]);
  client.send({ type: 'place', to: '911', ref: 'help' });
  const { code, ref } = await client.receive('error');
  assert.deepEqual([code, ref, await countCalls()], ['database_unavailable', 'help', before]);
  assert.equal((await dialplane('cells', 'move', accountId, '--to', target)).code, 0);
  await client.closed;
  const again = await logInHere();
  again.send({ type: 'place', to: '911', ref: 'help' });
  await again.receive('answered');
  await again.close();
});
