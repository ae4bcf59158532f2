import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useHarness } from '../../../test/support/harness.ts';
import { runNow, sql } from '../../../test/support/jobs.ts';
import { addConnection } from '../../../test/support/live-network.ts';
import { SIP_KIND } from '../sip/index.ts';

const harness = await useHarness({ adapterKinds: [SIP_KIND] });
const { db } = harness.context;

test('stored data about a call is deleted after a week, and not before', async () => {
  const settings = { engines: 'a=http://127.0.0.1:9', dialplane_url: 'http://127.0.0.1:3000', trunks: '[]' };
  const connection = { settings, credentials: { ari_password: 'a-long-password' }, capabilities: [] };
  const id = await addConnection(harness.context, { kind: 'sip', name: 'desk', ...connection });
  const age = `insert into sip_legs (ledger_id, connection_id, leg_ref, call_ref, created_at)
    values (1, $1, $2, 'call_1', clock_timestamp() - make_interval(days => $3))`;
  await sql(db, age, [id, 'leg_old', 8]);
  await sql(db, age, [id, 'leg_new', 6]);
  await runNow(db, 'sweep.sip_legs');
  assert.deepEqual(await sql(db, 'select leg_ref from sip_legs'), [{ leg_ref: 'leg_new' }]);
});
