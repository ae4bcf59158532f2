/** A running installation as operators see it: a connection to Telnyx, its requests and notices, and late work. */

import { CARRIER_CAPABILITIES } from '../../../src/carriers/ports/carrier.ts';
import { TELNYX_KIND } from '../../../src/carriers/telnyx/index.ts';
import { createAccount } from '../../../src/domain/accounts/index.ts';
import { newId } from '../../../src/lib/ids.ts';
import { closeAfterTests } from '../../support/close-after-tests.ts';
import { makeToken, postToken } from '../../support/console.ts';
import type { Harness } from '../../support/harness.ts';
import { sql } from '../../support/jobs.ts';
import { addConnection } from '../../support/live-network.ts';
import { startTelnyx, type Telnyx } from '../../telnyx/start-telnyx.ts';
import type { PageIds } from './believable.ts';

/** The kinds of carriers that the server of these tests knows. */
export const INSTALLED_KINDS = [TELNYX_KIND];

const BROWSERS_OF = (accountId: string) =>
  [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', null],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
      accountId,
    ],
  ] as const;

export type Installation = { readonly telnyx: Telnyx; readonly ids: PageIds; readonly connectionId: string };

/** Adds a connection to an emulated Telnyx, with requests in doubt and notices as after some days of traffic. */
export async function connectTelnyx(
  harness: Harness,
  { name = 'telnyx-us', businessName = 'Desert Paws Clinic' }: { name?: string; businessName?: string } = {},
): Promise<Installation> {
  const telnyx = await startTelnyx();
  closeAfterTests(() => telnyx.close());
  const connectionId = await addConnection(harness.context, {
    kind: 'telnyx',
    name,
    settings: { public_url: 'https://phone.example', api_url: telnyx.url, business_name: businessName },
    credentials: { key: telnyx.apiKey, public_key: telnyx.publicKey },
    capabilities: CARRIER_CAPABILITIES.filter((capability) => capability !== 'porting'),
  });
  await leaveInDoubt(harness, connectionId);
  await storeNotices(harness, connectionId);
  await haveFailures(harness);
  return { telnyx, connectionId, ids: { connections: connectionId } };
}

async function leaveInDoubt({ context: { db }, account }: Harness, connectionId: string): Promise<void> {
  const requests = [
    ['send', newId('message'), '4 minutes'],
    ['order', newId('phone_number'), '2 hours'],
  ];
  for (const [operation, ref, age] of requests) {
    await sql(
      db,
      `insert into carrier_requests (id, connection_id, ledger_id, operation, ref, sent_at)
       select $1, $2, id, $3, $4, now() - $5::interval from ledgers where account_id = $6 and mode = 'live'`,
      [newId('carrier_request'), connectionId, operation, ref, age, account.id],
    );
  }
}

/** Work that has failed, and is tried again after the tests. */
async function haveFailures({ context: { db }, account }: Harness): Promise<void> {
  await sql(
    db,
    `insert into jobs (ledger_id, id, queue, kind, payload, run_at, attempts)
     select id, $1, 'audio', 'recording.fetch', '{}', now() + interval '5 hours', 3
     from ledgers where account_id = $2 and mode = 'live'`,
    [newId('job'), account.id],
  );
  await sql(
    db,
    `insert into lanes (ledger_id, kind, group_id, lane_key, pending, failures, run_at)
     select id, 'webhook', 'whe_unreachable', $1, 4, 2, now() + interval '5 hours'
     from ledgers where account_id = $2 and mode = 'live'`,
    [newId('call'), account.id],
  );
}

/** Makes more accounts, and signs browsers in. */
export async function signPeopleIn(harness: Harness): Promise<void> {
  const { db } = harness.context;
  for (const name of ['Copper State Apps', 'Clinic Cloud']) await db.transaction((tx) => createAccount(tx, name));
  for (const [agent, accountId] of BROWSERS_OF(harness.account.id)) {
    const headers = { 'user-agent': agent };
    await postToken(harness, await makeToken(harness, accountId), { headers });
  }
}

async function storeNotices({ context: { db } }: Harness, connectionId: string): Promise<void> {
  const notices = [
    ['message.finalized', newId('message'), 'done'],
    ['message.received', '+16025550143', 'done'],
    ['call.initiated', newId('call'), 'done'],
    ['call.hangup', newId('call'), 'dropped'],
    ['10dlc.brand.update', newId('brand'), 'done'],
    ['call.cost', newId('call'), 'ignored'],
  ];
  for (const [index, [type, about, state]] of notices.entries()) {
    await sql(
      db,
      `insert into carrier_inbox (connection_id, notice_id, lane_key, type, body, state, received_at)
       values ($1, $2, $3, $4, '{}', $5, now() - make_interval(mins => $6))`,
      [connectionId, `notice-${index}`, about, type, state, 3 * index],
    );
  }
}
