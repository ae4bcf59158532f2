/** Reports of a connection that several databases have, whose object no database knows yet. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { storeNotices } from '../../src/carriers/inbox/queries.ts';
import { TELNYX_KIND } from '../../src/carriers/telnyx/index.ts';
import { newId } from '../../src/lib/ids.ts';
import { type Place, startCellInstallation } from '../support/cell-installation.ts';
import { sql, until } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { countStatements } from '../support/statement-counts.ts';
import { QUICK, startTelnyx } from '../telnyx/start-telnyx.ts';

const telnyx = await startTelnyx(QUICK);
const installation = await startCellInstallation([TELNYX_KIND]);
await installation.divide();
const { productOf } = installation;
after(async () => {
  await installation.close();
  await telnyx.close();
});

const connectionId = newId('carrier_connection');
const places = ['first', 'west'] as const;
for (const place of places) {
  const { context, connections } = productOf(place);
  const settings = { public_url: installation.process.url, api_url: telnyx.url };
  const credentials = { key: telnyx.apiKey, public_key: telnyx.publicKey };
  await addConnection(context, { id: connectionId, kind: 'telnyx', name: 'shared', settings, credentials });
  await connections.refresh();
}

const stateIn = async (place: Place, id: string) => {
  const query = 'select state from carrier_inbox where notice_id = $1';
  return (await sql<{ state: string }>(productOf(place).context.db, query, [id]))[0]?.state;
};

test('a report that waits for its call looks for it in the other database, and reads no connections for that', async () => {
  const west = productOf('west');
  const connections: { refresh(): Promise<void> } = west.connections;
  const { refresh } = connections;
  let reads = 0;
  connections.refresh = () => {
    reads++;
    return refresh();
  };
  const statements = countStatements(west.context.db);
  const id = newId('event');
  const payload = { call_leg_id: id, call_control_id: id, call_session_id: id };
  const report = { id, key: id, type: 'call.hangup', body: { payload } };
  await storeNotices(productOf('first').context.db, connectionId, [report]);
  let rounds = 0;
  await until('it has been looked for', () => {
    rounds += statements.take()['carrier_inbox_state'] ?? 0;
    return rounds >= 4;
  });
  assert.deepEqual([await stateIn('first', id), await stateIn('west', id)], ['waiting', 'waiting']);
  assert.equal(reads, 0, 'no reading while it waits');
  await sql(west.context.db, `update carrier_inbox set state = 'done' where notice_id = $1`, [id]);
  await until('the first is done with it', async () => (await stateIn('first', id)) === 'ignored');
  assert.equal(reads, 0);
  statements.stop();
  connections.refresh = refresh;
});
