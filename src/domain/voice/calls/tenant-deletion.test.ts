/** A tenant that is deleted at the moment when a call of its number starts. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gate, sql, until } from '../../../../test/support/jobs.ts';
import { newPerson } from '../../../../test/support/messages.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { ring, useScriptedLine } from '../../../../test/support/voice.ts';

const { harness, voice } = await useScriptedLine();

/** Runs `work` until it waits for the tenant's deletion, and then commits the deletion. */
async function whileDeleting<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
  const { db } = harness.context;
  const [locked, release] = [gate(), gate()];
  const deletion = db.transaction(async (tx) => {
    await tx.query({ name: '', text: 'select 1 from tenants where id = $1 for update' }, [tenantId]);
    locked.open();
    await release.opened;
    await tx.query({ name: '', text: 'update tenants set deleted_at = now() where id = $1' }, [tenantId]);
  });
  await locked.opened;
  const working = work();
  await until('it waits for the deletion', async () => {
    const text = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await sql(db, text)).length > 0;
  });
  release.open();
  await deletion;
  return working;
}

const callsOf = async (tenantId: string) =>
  (await sql(harness.context.db, 'select 1 from calls where tenant_id = $1', [tenantId])).length;

test('a call is not placed from a number whose tenant is being deleted', async () => {
  const { tenantId, number } = await makeLine(harness);
  const body = { from: number.id, to: newPerson(), connect_to: newPerson() };
  const reply = await whileDeleting(tenantId, () => harness.call('POST', '/v1/calls', { body }));
  assert.deepEqual([reply.status, reply.body.error?.code], [404, 'from_number_not_found']);
  assert.equal(await callsOf(tenantId), 0);
});

test('a call to a number whose tenant is being deleted is hung up', async () => {
  const { tenantId, number } = await makeLine(harness);
  const { id } = await whileDeleting(tenantId, () => ring(voice, number.phone_number));
  await harness.advance(0);
  assert.deepEqual(
    voice.instructions(id).map((command) => command.do),
    ['hang_up'],
  );
  assert.equal(await callsOf(tenantId), 0);
});
