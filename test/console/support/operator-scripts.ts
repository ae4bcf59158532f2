/** Scripts in the texts that the pages of operators show: of operators, of browsers, of carriers and of the server. */
import { newId } from '../../../src/lib/ids.ts';
import { makeToken, postToken, signIn } from '../../support/console.ts';
import type { Harness } from '../../support/harness.ts';
import { sql } from '../../support/jobs.ts';
import type { PageIds } from './believable.ts';
import { connectTelnyx } from './installation.ts';
import type { Scripts } from './scripts.ts';

/** Stores a script in each field. Returns the id of the connection, by the path of its page. */
export async function storeOperatorScripts(harness: Harness, scripts: Scripts): Promise<PageIds> {
  const { ids, connectionId } = await connectTelnyx(harness, {
    name: scripts.of('connection.name'),
    businessName: scripts.of('connection.setting'),
  });
  const operator = await signIn(harness);
  const made = await operator.call('POST', '/accounts', { body: { name: scripts.of('account.name') } });
  if (made.status !== 201) throw new Error(`no account: ${JSON.stringify(made.body)}`);
  const headers = { 'user-agent': scripts.of('session.user_agent') };
  const signedIn = await postToken(harness, await makeToken(harness), { headers });
  if (signedIn.status !== 201) throw new Error(`no session: ${JSON.stringify(signedIn.body)}`);
  await storeCarrierTexts(harness, connectionId, scripts);
  await storeKinds(harness, scripts);
  return ids;
}

async function storeCarrierTexts(
  { context: { db }, account }: Harness,
  connectionId: string,
  scripts: Scripts,
): Promise<void> {
  await sql(
    db,
    `insert into carrier_inbox (connection_id, notice_id, lane_key, type, body, state)
     values ($1, 'script', $2, $3, '{}', 'done')`,
    [connectionId, scripts.of('notice.about'), scripts.of('notice.type')],
  );
  await sql(
    db,
    `insert into carrier_requests (id, connection_id, ledger_id, operation, ref, sent_at)
     select $1, $2, id, $3, $4, now() - interval '1 day' from ledgers where account_id = $5 and mode = 'live'`,
    [newId('carrier_request'), connectionId, scripts.of('request.operation'), scripts.of('request.ref'), account.id],
  );
}

/** Stores scripts in the kinds of a job and a lane, because pages show kinds as text. No client can set a kind. */
async function storeKinds({ context: { db }, account }: Harness, scripts: Scripts): Promise<void> {
  await sql(
    db,
    `insert into jobs (ledger_id, id, queue, kind, payload, run_at, attempts)
     select id, $1, 'audio', $2, '{}', now() + interval '5 hours', 3
     from ledgers where account_id = $3 and mode = 'live'`,
    [newId('job'), scripts.of('job.kind'), account.id],
  );
  await sql(
    db,
    `insert into lanes (ledger_id, kind, group_id, lane_key, pending, failures, run_at)
     select id, $1, 'group', 'key', 1, 2, now() + interval '5 hours'
     from ledgers where account_id = $2 and mode = 'live'`,
    [scripts.of('lane.kind'), account.id],
  );
}
