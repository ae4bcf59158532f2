/** A live tenant over the emulated Telnyx, with a number that may text. */
import assert from 'node:assert/strict';
import { CARRIER_CAPABILITIES } from '../../src/carriers/ports/carrier.ts';
import { TELNYX_KIND } from '../../src/carriers/telnyx/index.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import type { Json } from '../support/events.ts';
import { type HarnessOptions, useHarness } from '../support/harness.ts';
import { until } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { read } from '../support/messages.ts';
import { clearForTexts, fund } from '../support/money.ts';
import { makeLine } from '../support/numbers.ts';
import { freePort } from '../support/ports.ts';
import type { Rule } from './faults.ts';
import { QUICK, startTelnyx } from './start-telnyx.ts';

/**
 * Starts the product and the emulator for the tests of the file, and buys a number for a new live tenant.
 * @param settings of the connection, in place of the usual ones
 * @param options of the harness, in place of the usual ones
 */
export async function useTelnyxLine(
  settings: Readonly<Record<string, string>> = {},
  options: Pick<HarnessOptions, 'serveMedia' | 'settings'> = {},
) {
  const telnyx = await startTelnyx(QUICK);
  closeAfterTests(() => telnyx.close());
  const port = await freePort();
  const media = { mediaUrl: `ws://127.0.0.1:${port}` };
  const harness = await useHarness({ adapterKinds: [TELNYX_KIND], port, settings: media, ...options });
  const connectionId = await addConnection(harness.context, {
    kind: 'telnyx',
    name: 'telnyx',
    settings: { public_url: harness.url, api_url: telnyx.url, business_name: 'Desert Paws Clinic', ...settings },
    credentials: { key: telnyx.apiKey, public_key: telnyx.publicKey },
    capabilities: CARRIER_CAPABILITIES,
  });
  await harness.connections.refresh();
  await harness.connections.list()[0]?.connected.setup();
  const key = harness.account.live_key;
  await fund(harness);
  const { tenantId, number } = await makeLine(harness, key);
  await clearForTexts(harness, number.id);
  const get = (path: string): Promise<Json> => read(harness, path, key);
  const make = async (path: string, body: object, status = 201): Promise<Json> => {
    const reply = await harness.call('POST', `/v1${path}`, { key, body });
    assert.equal(reply.status, status, JSON.stringify(reply.body));
    return reply.body;
  };
  /** Waits until a resource has these fields. */
  const untilHas = (path: string, fields: object): Promise<void> =>
    until(
      `${path} has ${JSON.stringify(fields)}`,
      async () => {
        const found = await get(path);
        return Object.entries(fields).every(([name, value]) => found[name] === value);
      },
      20_000,
    );
  /** Texts a person from the number. Returns the message's id. */
  const text = async (to: string, body: string): Promise<string> =>
    (await make('/messages', { from: number.id, to, body })).id;
  const untilStatus = (id: string, status: string) =>
    until(`the text is ${status}`, async () => (await get(`/messages/${id}`)).status === status, 20_000);
  /** The texts that a person's handset has, by their words. */
  const handsetOf = async (phoneNumber: string): Promise<string[]> =>
    (await telnyx.control.handset({ phoneNumber })).map(({ text: words }) => words);
  /** Makes the emulator misbehave while `work` runs. */
  const withFaults = async (rules: readonly Rule[], work: () => Promise<void>): Promise<void> => {
    await telnyx.control.faults({ rules, seed: 7 });
    try {
      await work();
    } finally {
      await telnyx.control.faults({ rules: [] });
    }
  };
  return {
    telnyx,
    harness,
    withFaults,
    key,
    connectionId,
    tenantId,
    number,
    get,
    make,
    text,
    untilHas,
    untilStatus,
    handsetOf,
  };
}
