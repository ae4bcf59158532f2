/** The heartbeat of sessions after lost signals, and the sessions that it leaves unchanged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { closeAfterTests } from '../../../test/support/close-after-tests.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { askedTimes, keepOpen, silentLog, sql, until } from '../../../test/support/jobs.ts';
import { makeTenant } from '../../../test/support/numbers.ts';
import { countStatements } from '../../../test/support/statement-counts.ts';
import {
  connectWebClient,
  insertRingingLeg,
  logIn,
  makeDesk,
  makeWebClient,
  mintLogin,
} from '../../../test/support/web-clients.ts';
import { openDatabase } from '../../db/database.ts';
import { wakeWebClient } from '../../domain/voice/index.ts';

const harness = await useHarness({ startWorkers: false });
const { db } = harness.context;
/** A process whose signals reach no other process. */
const mute = openDatabase({ url: harness.databaseUrl, connectionsMax: 2, log: silentLog });
closeAfterTests(() => mute.close());

const newWebClient = async () => makeWebClient(harness, await makeTenant(harness));

async function nameOf(webClientId: string) {
  const text = 'select ledger_id from web_clients where id = $1';
  const [row] = await sql<{ ledger_id: number }>(db, text, [webClientId]);
  return { ledgerId: row?.ledger_id as number, webClientId };
}

test('a call rings, and stops ringing, within a few seconds even if the signals are lost', async () => {
  const desk = await makeDesk(harness);
  const call_id = await mute.transaction((tx) => insertRingingLeg(tx, harness, desk));
  assert.equal((await desk.client.receive('incoming')).call_id, call_id);
  const end = `update web_client_legs set state = 'ended', end_reason = 'no_answer' where call_id = $1`;
  await sql(mute, end, [call_id]);
  const ended = await desk.client.receive('ended');
  assert.deepEqual([ended.call_id, ended.reason], [call_id, 'no_answer']);
  await desk.client.close();
});

/** Counts the statements about web clients in two heartbeats. */
async function countOfBeats(): Promise<number> {
  await askedTimes(db, 'web_client_legs_live', 1);
  const statements = countStatements(db);
  // The third heartbeat begins after the second has ended.
  await askedTimes(db, 'web_client_sessions_renew', 3);
  const counts = Object.entries(statements.take()).filter(([name]) => name.startsWith('web_client'));
  statements.stop();
  return counts.reduce((sum, [, count]) => sum + count, 0);
}

test('a heartbeat asks the database as often for many sessions as for one', async () => {
  const desk = await makeDesk(harness);
  await mute.transaction((tx) => insertRingingLeg(tx, harness, desk));
  await desk.client.receive('incoming');
  const ofOne = await countOfBeats();
  const clients = await Promise.all(Array.from({ length: 8 }, async () => logIn(harness, (await newWebClient()).id)));
  assert.equal(await countOfBeats(), ofOne);
  await Promise.all([desk.client, ...clients].map((client) => client.close()));
});

test('a login that is writing its session is not taken for one that was replaced', async () => {
  const [{ id }, other] = [await newWebClient(), await logIn(harness, (await newWebClient()).id)];
  const token = await mintLogin(harness, id);
  const name = await nameOf(id);
  let client: Awaited<ReturnType<typeof connectWebClient>> | undefined;
  await mute.transaction(async (tx) => {
    await keepOpen(tx);
    await tx.query({ name: '', text: 'select 1 from web_clients where id = $1 for update' }, [id]);
    client = await connectWebClient(harness, token);
    await until('the login waits', async () => {
      const text = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like '%insert into web_client_sessions%' and pid <> pg_backend_pid()`;
      return (await sql(db, text)).length > 0;
    });
    wakeWebClient(db, name);
    // When the second heartbeat has begun, the first has ended.
    await askedTimes(db, 'web_client_sessions_renew', 2);
  });
  assert.ok(client !== undefined);
  await client.receive('registered');
  client.send({ type: 'answer', call_id: 'call_x' });
  assert.equal((await client.receive('error')).code, 'call_not_found');
  assert.equal(client.socket.readyState, WebSocket.OPEN);
  await Promise.all([client.close(), other.close()]);
});

test('a web client that is revoked while its login writes the session is refused', async () => {
  const { id } = await newWebClient();
  const token = await mintLogin(harness, id);
  let client: Awaited<ReturnType<typeof connectWebClient>> | undefined;
  await mute.transaction(async (tx) => {
    await keepOpen(tx);
    await tx.query({ name: '', text: `update web_clients set status = 'revoked' where id = $1` }, [id]);
    client = await connectWebClient(harness, token);
    wakeWebClient(db, await nameOf(id));
  });
  assert.equal(await client?.closed, 4401);
});
