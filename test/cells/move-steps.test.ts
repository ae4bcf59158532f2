/** A move that is interrupted at any moment. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MOVE_STEPS } from '../../src/server/cells/move/move-account.ts';
import { type Place, startCellInstallation } from '../support/cell-installation.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { prepareMoves } from '../support/moves.ts';

const installation = await startCellInstallation();
await installation.divide();
const { call, dialplane, database } = installation;
after(() => installation.close());
const { key, accountId, tenantId, ledgersOf, countRows, moveUntil, scheduleText } = await prepareMoves(installation);

test('a move that ends at any step is whole when the command is run again', async () => {
  let home: Place = 'first';
  const texts: string[] = [];
  for (const [index, step] of MOVE_STEPS.entries()) {
    const target: Place = home === 'first' ? 'east' : 'first';
    texts.push(await scheduleText(index));
    const before = await countRows(home);
    await moveUntil(step, [home, target]);
    const check = await dialplane('cells', 'check');
    const isEnded = step === 'set aside' || step === 'checked';
    assert.equal(/is not finished/.test(check.out), !isEnded, `${step}: ${check.out}`);
    const again = await dialplane('cells', 'move', accountId, '--to', target === 'first' ? 'first' : 'east');
    assert.equal(again.code, 0, `${step}: ${again.err}`);
    assert.deepEqual(await countRows(target), before, step);
    const states: string[] = [];
    for (const place of [home, target]) for (const { state } of await ledgersOf(place)) states.push(state);
    assert.deepEqual(states, ['moved', 'moved', 'active', 'active']);
    const emptied: number[] = Object.values(await countRows(home));
    assert.ok(
      emptied.every((rows) => rows === 0),
      step,
    );
    for (const id of texts) {
      assert.equal((await call('GET', `/v1/messages/${id}`, { key })).body.status, 'scheduled', `${step} ${id}`);
    }
    assert.equal((await call('PATCH', `/v1/tenants/${tenantId}`, { key, body: { name: step } })).status, 200);
    home = target;
  }
  assert.equal(home, 'east', 'an odd number of moves');
});

test('a command that is killed while it copies leaves the account where it was, and goes on when it is run again', async () => {
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, 'cells', 'move', accountId, '--to', 'west'], {
    env: { DATABASE_URL: database.url, DIALPLANE_SECRET: TEST_SECRET },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'close');
  for await (const text of child.stderr) {
    if (String(text).includes('Copied')) break;
  }
  child.kill('SIGKILL');
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  assert.equal((await call('PATCH', `/v1/tenants/${tenantId}`, { key, body: { name: 'Killed' } })).status, 200);
  assert.equal((await dialplane('cells', 'move', accountId, '--to', 'west')).code, 0);
  assert.equal((await call('GET', `/v1/tenants/${tenantId}`, { key })).body.name, 'Killed');
  assert.equal((await dialplane('cells', 'move', accountId, '--to', 'first')).code, 0);
});
