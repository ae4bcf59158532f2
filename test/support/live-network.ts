import type { AdapterKind, Connection } from '../../src/carriers/adapter.ts';
import { sealCredentials } from '../../src/carriers/connections/credentials.ts';
import { insertConnection, setDefault } from '../../src/carriers/connections/queries.ts';
import {
  type Carrier,
  type CarrierCapability,
  type CarrierEventSink,
  DECLARED_CAPABILITIES,
} from '../../src/carriers/ports/carrier.ts';
import { createSimulatedCarrier } from '../../src/carriers/simulated/index.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/lib/ids.ts';
import { SIMULATED_DOMAIN } from '../../src/server/parts/simulated-domain.ts';

/**
 * Makes the carrier of live ledgers. It may use a simulated carrier, whose receipts go to the ledger that sent the
 * text.
 */
export type MakeLiveCarrier = (product: {
  sink: CarrierEventSink;
  simulated: Carrier;
  /** The name of the connection. */
  name: string;
}) => Carrier;

const KIND = 'in_process';

/** Returns the kind of a carrier that runs in this process. */
export function inProcessKind(makeCarrier: MakeLiveCarrier): AdapterKind {
  return {
    description: { kind: KIND, capabilities: DECLARED_CAPABILITIES, settings: [], credentials: [] },
    make: (parts) => {
      const { network } = createSimulatedCarrier({ ...parts, domain: SIMULATED_DOMAIN });
      const { carrier: simulated } = network;
      const connect = ({ name }: Connection) => ({
        carrier: makeCarrier({ sink: parts.sink, simulated, name }),
        check: async () => [],
        setup: async () => [],
      });
      return { connect };
    },
  };
}

/**
 * Adds a connection of one account or of the installation, and makes it the default there for the capabilities. Returns
 * the id.
 */
export async function addConnection(
  { db, cipher }: Pick<Context, 'db' | 'cipher'>,
  {
    id = newId('carrier_connection'),
    accountId = null,
    kind = KIND,
    name = 'main',
    settings = {},
    credentials = {},
    capabilities = [],
  }: NewConnection,
): Promise<string> {
  const sealed = sealCredentials(cipher, id, credentials);
  await db.transaction(async (tx) => {
    await insertConnection(tx, { id, kind, name, account_id: accountId, settings, credentials: sealed });
    for (const capability of capabilities) {
      await setDefault(tx, { capability, account_id: accountId, connection_id: id });
    }
  });
  return id;
}

type NewConnection = {
  readonly id?: string;
  /** The account whose connection it is; null for a connection of the installation. */
  readonly accountId?: string | null;
  readonly kind?: string;
  readonly name?: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly credentials?: Readonly<Record<string, string>>;
  readonly capabilities?: readonly CarrierCapability[];
};
