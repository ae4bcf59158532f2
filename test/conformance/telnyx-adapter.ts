/** The product's adapter on an emulated Telnyx, with the reports that reach it. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import { TELNYX_KIND } from '../../src/carriers/telnyx/index.ts';
import type { Database } from '../../src/db/database.ts';
import { createCipher } from '../../src/lib/crypto/cipher.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { createSynthesizer } from '../../src/speech/speech-synthesis.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { addConnectionNumber } from '../support/connection-numbers.ts';
import { time } from '../support/emulator-time.ts';
import { silentLog, sql, useJobsDatabase } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import type { Telnyx } from '../telnyx/start-telnyx.ts';

const cipher = createCipher(['a secret that is only good for tests']);

/**
 * Connects the adapter for the tests of the file.
 * @param settings of the connection, in addition to the usual ones
 */
export async function useTelnyxAdapter(telnyx: Telnyx, settings: Readonly<Record<string, string>> = {}) {
  const { db } = await useJobsDatabase();
  const ledger = await addLiveLedger(db);

  const receiver = createServer().listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  closeAfterTests(async () => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const public_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const connection = {
    name: 'telnyx',
    settings: { public_url, api_url: telnyx.url, transcription: 'telnyx', ...settings },
    credentials: { key: telnyx.apiKey, public_key: telnyx.publicKey },
  };
  const id = await addConnection({ db, cipher }, { kind: 'telnyx', ...connection, capabilities: [] });
  const parts = { db, log: silentLog, synthesizer: createSynthesizer({ log: silentLog }) } as never;
  const { carrier, ingress, setup, close } = TELNYX_KIND.make(parts).connect({ id, ...connection });
  closeAfterTests(() => close?.());
  await setup();
  const { numbers = assert.fail() } = carrier;

  /** The events that were reported and not read yet. */
  const reported: CarrierEvent[] = [];
  receiver.on('request', async (request, response) => {
    const { headers, method, url = '' } = request;
    if (method === 'GET') {
      const sound = await ingress?.readSound?.(url);
      return response.writeHead(sound === undefined ? 404 : 200).end(sound);
    }
    const notices = ingress?.read({ path: '', headers, body: await buffer(request), now: new Date(time.now()) });
    if (!Array.isArray(notices)) return response.writeHead(401).end();
    for (const notice of notices) {
      const translation = await ingress?.translate(db, notice);
      if (translation?.is === 'events') reported.push(...translation.events);
    }
    return response.end();
  });

  /** Orders a number, and makes it the ledger's. */
  const orderNumber = async (areaCode: string): Promise<string> => {
    const [onSale] = await numbers.search(ledger, { areaCode, limit: 1 });
    const phoneNumber = onSale?.phone_number ?? assert.fail('nothing is on sale');
    const tenant = { id: newId('tenant'), name: 'Conformance' };
    const order = await numbers.order(ledger, { ref: newId('phone_number'), phoneNumber, tenant });
    assert.equal(order.outcome, 'accepted');
    await addConnectionNumber(db, { ledgerId: ledger.ledgerId, phoneNumber, connectionId: id });
    return phoneNumber;
  };
  return { carrier, ledger, reported, orderNumber };
}

async function addLiveLedger(db: Database): Promise<Ledger> {
  const accountId = 'acct_1';
  const insert = 'insert into ledgers (account_id, mode) values ($1, \'live\') returning id as "ledgerId"';
  const [row = assert.fail()] = await sql<{ ledgerId: number }>(db, insert, [accountId]);
  return { ...row, accountId, mode: 'live' };
}
