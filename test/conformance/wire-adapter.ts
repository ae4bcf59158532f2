/** The adapter of a wire carrier, the reports that reach it, and people on its calls. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import { MAGIC } from '../../src/carriers/simulated/magic-numbers.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { time } from '../support/emulator-time.ts';
import { newPerson } from '../support/messages.ts';
import { connectWire, readCallback } from '../wire/adapter.ts';
import type { Wire } from '../wire/start-wire.ts';
import type { VoiceSubject } from './voice.ts';

/** Connects the adapter for the tests of the file. */
export async function useWireAdapter(wire: Wire) {
  const { carrier, openLedger } = await useReports(wire);
  /** Orders a number that no other ledger has. */
  const orderNumber = async (ledger: Ledger, areaCode: string): Promise<string> => {
    const [onSale] = (await carrier.numbers?.search(ledger, { areaCode, limit: 1 })) ?? [];
    const phoneNumber = onSale?.phone_number ?? assert.fail('nothing is on sale');
    const tenant = { id: newId('tenant'), name: 'Wire' };
    const order = await carrier.numbers?.order(ledger, { ref: newId('phone_number'), phoneNumber, tenant });
    assert.equal(order?.outcome, 'accepted');
    return phoneNumber;
  };

  /** Opens a ledger whose people can be called, and call. */
  const openVoice = async (areaCode: string): Promise<VoiceSubject> => {
    const { ledger, advance, close } = openLedger();
    const number = await orderNumber(ledger, areaCode);
    const kept: CarrierEvent[] = [];
    return {
      voice: carrier.voice ?? assert.fail(),
      ledger,
      number,
      person: newPerson,
      absent: MAGIC.neverAnswers,
      unstreamable: MAGIC.streamFails,
      arrive: async (caller) => {
        const { callRef } = await wire.people.callIn({ from: caller, to: number });
        for (const event of await advance(0)) {
          if (event.type === 'call.arrived' && event.callRef === callRef) return { callRef, legRef: event.legRef };
          kept.push(event);
        }
        return assert.fail('the arrival was not reported');
      },
      settle: async (seconds) => [...kept.splice(0), ...(await advance(seconds))],
      close,
    };
  };
  return { carrier, openLedger, orderNumber, openVoice };
}

/** Receives what the carrier reports, by ledger. */
async function useReports(wire: Wire) {
  const receiver = createServer().listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  closeAfterTests(async () => {
    receiver.closeAllConnections();
    receiver.close();
  });

  const { carrier, ingress, setup } = connectWire({
    id: newId('carrier_connection'),
    name: 'wire',
    settings: { url: wire.url, public_url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}` },
    credentials: { key: wire.key, secret: wire.secret },
  });
  await setup();

  /** The events that were reported, by the name of their ledger. */
  const reported = new Map<string, CarrierEvent[]>();
  const seen = new Set<string>();
  receiver.on('request', async (request, response) => {
    const { headers } = request;
    const notices = ingress?.read({ path: '', headers, body: await buffer(request), now: new Date(time.now()) });
    if (!Array.isArray(notices)) return response.writeHead(401).end();
    for (const { id, body } of notices) {
      const { ledger, event } = readCallback(body);
      if (!seen.has(id)) reported.set(ledger, [...(reported.get(ledger) ?? []), event]);
      seen.add(id);
    }
    return response.end();
  });

  let ledgers = 0;

  /** Opens a new ledger at the carrier. `advance` moves its clock and returns the events since the last call. */
  const openLedger = () => {
    const ledger: Ledger = { ledgerId: ++ledgers, accountId: 'acct_1', mode: 'live' };
    const name = String(ledger.ledgerId);
    const advance = async (seconds: number): Promise<CarrierEvent[]> => {
      await wire.people.advance({ ledger: name, seconds });
      return reported.get(name)?.splice(0) ?? [];
    };
    return { ledger, advance, close: async () => undefined };
  };
  return { carrier, openLedger };
}
