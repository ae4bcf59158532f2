/** The simulated carrier on a separate database, for the server of the wire carrier. */
import type { Carrier, TakeEvents } from '../../src/carriers/ports/carrier.ts';
import type { VoicePort } from '../../src/carriers/ports/voice.ts';
import { createSimulatedCarrier } from '../../src/carriers/simulated/index.ts';
import type { CallExecutor } from '../../src/carriers/simulated/voice/call-parts.ts';
import { createSimulatedCalls } from '../../src/carriers/simulated/voice/executor.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { createWorkers, type Workers } from '../../src/queue/worker/workers.ts';
import { SIMULATED_DOMAIN } from '../../src/server/parts/simulated-domain.ts';
import { createSynthesizer } from '../../src/speech/speech-synthesis.ts';
import { silentLog, sql } from '../support/jobs.ts';
import { type AudioLines, createAudioLines } from './audio-lines.ts';
import { createFaults, type Faults } from './faults.ts';
import { type Outbox, openOutbox } from './outbox.ts';

export type Network = {
  readonly db: Database;
  readonly carrier: Carrier;
  /** Receives the actions of the people on calls. */
  readonly executor: CallExecutor;
  readonly workers: Workers;
  readonly outbox: Outbox;
  readonly lines: AudioLines;
  readonly faults: Faults;
  /** Reports events in the transaction that causes them. */
  readonly takeEvents: TakeEvents;
  /** Returns the ledger of this network that represents a ledger of the customer. */
  ledgerOf(name: string): Promise<Ledger>;
  /** Ends all work, and closes the database. */
  close(): Promise<void>;
};

const ACCOUNT = 'acct_wire_';

/** Opens the network. Its tables of messages, calls and web clients are the product's, and stay empty. */
export async function openNetwork({ databaseUrl, secret }: { databaseUrl: string; secret: string }): Promise<Network> {
  const db = openDatabase({ url: databaseUrl, connectionsMax: 10, log: silentLog });
  const faults = createFaults();
  const outbox = await openOutbox(db, { secret, faults });
  const takeEvents: TakeEvents = (tx, { accountId }, events) =>
    outbox.keep(tx, accountId.slice(ACCOUNT.length), events);
  const { network, jobs: handlers } = createSimulatedCarrier({
    db,
    log: silentLog,
    sink: (ledger, events) => db.transaction((tx) => takeEvents(tx, ledger, events)),
    takeEvents,
    synthesizer: createSynthesizer({ log: silentLog }),
    domain: SIMULATED_DOMAIN,
  });
  const workers = createWorkers({ db, log: silentLog, handlers, queues: { messaging: 2, voice: 2, default: 2 } });
  const lines = createAudioLines(db, network.carrier.voice as VoicePort);
  return {
    db,
    carrier: network.carrier,
    executor: createSimulatedCalls({ takeEvents, domain: SIMULATED_DOMAIN.calls }).executor,
    workers,
    outbox,
    lines,
    faults,
    takeEvents,
    ledgerOf: createLedgers(db),
    close: async () => {
      lines.close();
      await workers.stop();
      await outbox.close();
      await db.close();
    },
  };
}

function createLedgers(db: Database): Network['ledgerOf'] {
  const known = new Map<string, Promise<Ledger>>();
  const make = async (name: string): Promise<Ledger> => {
    const accountId = `${ACCOUNT}${name}`;
    await sql(db, 'insert into accounts (id, name) values ($1, $1)', [accountId]);
    const insert = `insert into ledgers (account_id, mode) values ($1, 'test') returning id`;
    const [row] = await sql<{ id: number }>(db, insert, [accountId]);
    return { ledgerId: (row as { id: number }).id, accountId, mode: 'test' };
  };
  return (name) => {
    const ledger = known.get(name) ?? make(name);
    known.set(name, ledger);
    return ledger;
  };
}
