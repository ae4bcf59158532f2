import { CARRIER_CAPABILITIES } from '../../src/carriers/ports/carrier.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { type Harness, type HarnessOptions, useHarness } from '../support/harness.ts';
import { addConnection } from '../support/live-network.ts';
import { freePort } from '../support/ports.ts';
import { WIRE_KIND } from './adapter.ts';
import { startWire, type Wire } from './start-wire.ts';

/** Long enough for a report to arrive before the reply to the request that caused it. */
const ROUND_TRIP_MS = 20;

/**
 * Starts a product whose live ledgers use the wire carrier for everything, for the tests of the file.
 * @param settings settings of the connection, in addition to its addresses
 * @param options of the product
 */
export async function useWire(
  settings: Readonly<Record<string, string>> = {},
  options: Partial<HarnessOptions> = {},
): Promise<{ harness: Harness; wire: Wire }> {
  const wire = await startWire({ roundTripMs: ROUND_TRIP_MS });
  closeAfterTests(() => wire.close());
  const port = await freePort();
  const media = { mediaUrl: `ws://127.0.0.1:${port}` };
  const harness = await useHarness({ adapterKinds: [WIRE_KIND], port, settings: media, ...options });
  const { key, secret, url } = wire;
  const id = await addConnection(harness.context, {
    kind: 'wire',
    name: 'wire',
    settings: { ...settings, url, public_url: harness.url },
    credentials: { key, secret },
    capabilities: CARRIER_CAPABILITIES,
  });
  await harness.connections.refresh();
  await harness.connections
    .list()
    .find((connection) => connection.id === id)
    ?.connected.setup();
  return { harness, wire };
}
