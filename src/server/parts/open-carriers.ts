/** The carriers of this process, and the functions that apply their events. */

import type { Logger } from 'pino';
import type { BlobStore } from '../../blobs/blob-store.ts';
import type { Adapter, AdapterKind, AdapterParts, ConnectedCarrier } from '../../carriers/adapter.ts';
import { sweepRequests } from '../../carriers/book/queries.ts';
import { createAlarms } from '../../carriers/connections/alarms.ts';
import {
  type ConnectionDirectory,
  createConnectionDirectory,
  unavailable,
} from '../../carriers/connections/directory.ts';
import { SIMULATED_GUARD } from '../../carriers/connections/guard.ts';
import { createNoticeLanes } from '../../carriers/inbox/lane-handler.ts';
import { sweepNotices } from '../../carriers/inbox/queries.ts';
import type { Sharers } from '../../carriers/inbox/sharers.ts';
import type {
  Carrier,
  CarrierCapability,
  CarrierEventSink,
  Carriers,
  ConnectionId,
  TakeEvents,
} from '../../carriers/ports/carrier.ts';
import type { Handsets } from '../../carriers/ports/handset.ts';
import { createSimulatedCarrier } from '../../carriers/simulated/index.ts';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/database.ts';
import { applyComplianceEvents } from '../../domain/compliance/index.ts';
import { applyMessagingEvents } from '../../domain/messaging/index.ts';
import { applyNumberEvents, createHoldAudioReader } from '../../domain/numbers/index.ts';
import {
  type CopiesOf,
  createReportTaker,
  createWebClientExchange,
  type WebClientRoutes,
  webClientLegJob,
  webClientReleaseJob,
} from '../../domain/voice/index.ts';
import { createAudioAuthorizer } from '../../gateway/web-client/audio-authorizer.ts';
import type { Cipher } from '../../lib/crypto/cipher.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { JobHandler } from '../../queue/jobs/job.ts';
import { defineDeletion } from '../../queue/worker/sweep.ts';
import type { LocalVoice } from '../../speech/local-voice.ts';
import type { Synthesizer } from '../../speech/port.ts';
import { createSynthesizer } from '../../speech/speech-synthesis.ts';
import { createCarrierGuards } from './guard-carriers.ts';
import { SIMULATED_DOMAIN } from './simulated-domain.ts';

type OpenCarriersOptions = {
  readonly db: Database;
  readonly cipher: Cipher;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly clock: Clock;
  /** Speaks on live calls. */
  readonly voice: Synthesizer;
  /** Speaks on test calls. */
  readonly localVoice: LocalVoice;
  readonly kinds: readonly AdapterKind[];
  readonly blobs: BlobStore;
  readonly sharersOf: (db: Database) => Sharers;
};

/** Returns the network of a ledger that needs no connection of an operator. */
type NetworkOf = (ledger: Pick<Ledger, 'mode'>) => ConnectedCarrier | undefined;

export type OpenCarriers = {
  readonly carriers: Carriers;
  readonly networkOf: NetworkOf;
  readonly adapters: readonly Adapter[];
  readonly connections: ConnectionDirectory;
  readonly takeEvents: TakeEvents;
  readonly sharers: Sharers;
  /** The handsets of simulated calls. */
  readonly handsets: Handsets;
  /** Adds a function that applies carrier events. It runs after the others. */
  addTaker(take: TakeEvents): void;
};

/**
 * The functions that apply carrier events. Each applies the events of its module. The function for calls is added
 * later, because it needs the context.
 */
const EVENT_TAKERS: readonly TakeEvents[] = [applyMessagingEvents, applyComplianceEvents, applyNumberEvents];

export function openCarriers({
  db,
  cipher,
  metrics,
  log,
  clock,
  voice,
  localVoice,
  kinds,
  blobs,
  sharersOf,
}: OpenCarriersOptions): OpenCarriers {
  const takers = [...EVENT_TAKERS];
  const takeEvents: TakeEvents = async (tx, ledger, events) => {
    for (const take of takers) await take(tx, ledger, events);
  };
  const sink = createSink(db, metrics, takeEvents);
  const readHoldAudio = createHoldAudioReader({ blobs });
  const alarms = createAlarms({ db, log });
  const parts: AdapterParts = { db, log, metrics, alarms, sink, takeEvents, synthesizer: voice, readHoldAudio };
  const synthesizer = createSynthesizer({ log, voice: localVoice });
  const simulated = createSimulatedCarrier({ ...parts, synthesizer, domain: SIMULATED_DOMAIN });
  const adapters = new Map(kinds.map((kind) => [kind.description.kind, kind.make(parts)]));
  const guard = createCarrierGuards({ alarms, log, metrics });
  const connections = createConnectionDirectory({ db, cipher, log, clock, adapters, wrap: guard });
  const { network } = simulated;
  const guarded = { ...network, carrier: guard(network.carrier, 'simulated', SIMULATED_GUARD) };
  // Test ledgers are connected only to the simulated network. Live ledgers are connected only to connections of
  // operators.
  const networkOf: NetworkOf = ({ mode }) => (mode === 'test' ? guarded : undefined);
  return {
    carriers: chooseCarriers({ networkOf, connections, kinds }),
    networkOf,
    adapters: [simulated, ...adapters.values()],
    connections,
    takeEvents,
    sharers: sharersOf(db),
    handsets: simulated.handsetsOf({ cipher, clock }),
    addTaker: (take) => {
      takers.push(take);
    },
  };
}

/** Returns the sink that applies carrier events in one transaction. */
function createSink(db: Database, metrics: Metrics, takeEvents: TakeEvents): CarrierEventSink {
  return async (ledger, events) => {
    await db.transaction((tx) => takeEvents(tx, ledger, events));
    const received = events.filter((event) => event.type === 'message.received').length;
    metrics.messages.inc({ direction: 'inbound' }, received);
  };
}

type Choice = {
  readonly networkOf: NetworkOf;
  readonly connections: ConnectionDirectory;
  readonly kinds: readonly AdapterKind[];
};

function chooseCarriers({ networkOf, connections, kinds }: Choice): Carriers {
  const declared = new Map(kinds.map(({ description: { kind, capabilities } }) => [kind, new Set(capabilities)]));
  const carrierOf = (ledger: Ledger, connection: ConnectionId, takesNew: boolean): Carrier | undefined => {
    const network = networkOf(ledger);
    if (network !== undefined) return network.carrier;
    const found = connection === null ? undefined : connections.find(connection);
    const isUsable = takesNew ? found?.status === 'active' : found?.status !== 'disabled';
    return isUsable ? found?.connected.carrier : undefined;
  };
  const capability =
    <Name extends CarrierCapability>(name: Name) =>
    (ledger: Ledger, connection: ConnectionId): NonNullable<Carrier[Name]> => {
      const port = carrierOf(ledger, connection, false)?.[name];
      if (port === undefined) throw unavailable();
      return port;
    };
  const usableBy = ({ accountId: account }: Ledger) =>
    connections.list().filter(({ accountId, status }) => {
      return status !== 'disabled' && (accountId === null || accountId === account);
    });
  return {
    choose: (name, ledger) => (networkOf(ledger) === undefined ? connections.choose(name, ledger).id : null),
    requireOpen: (name, ledger, connection) => {
      if (carrierOf(ledger, connection, true)?.[name] === undefined) throw unavailable();
    },
    declares: (name, ledger, connection) => {
      if (networkOf(ledger) !== undefined) return true;
      const kind = connection === null ? undefined : connections.find(connection)?.kind;
      return kind !== undefined && declared.get(kind)?.has(name) === true;
    },
    hasTelephone: (ledger, telephone, connection) => {
      if (networkOf(ledger) !== undefined) return true;
      const usable = usableBy(ledger);
      const asked = connection === undefined ? usable : usable.filter(({ id }) => id === connection);
      return asked.some(({ connected }) => connected.hasTelephone?.(telephone) === true);
    },
    listTelephones: async (ledger) => {
      if (networkOf(ledger) !== undefined) return [];
      const lists = usableBy(ledger).map(({ connected }) => connected.listTelephones?.() ?? []);
      return (await Promise.all(lists)).flat();
    },
    numbers: capability('numbers'),
    messaging: capability('messaging'),
    registry: capability('registry'),
    e911: capability('e911'),
    porting: capability('porting'),
    voice: capability('voice'),
  };
}

/** Returns the background work of carriers: that of each adapter, and the lanes that apply notices. */
export function carrierWork(
  { db, log, metrics }: Context,
  { adapters, connections, takeEvents, sharers }: OpenCarriers,
  webClientJobs: readonly JobHandler[],
) {
  return {
    carrierHandlers: [...adapters.flatMap(({ jobs = [] }) => jobs), ...webClientJobs],
    carrierLanes: [
      ...adapters.flatMap(({ lanes = [] }) => lanes),
      createNoticeLanes({ db, log, metrics, connections, sharers, takeEvents, takeReport: createReportTaker() }),
    ],
    carrierSweeps: [
      ...adapters.flatMap(({ sweeps = [] }) => sweeps),
      defineDeletion({ db, name: 'carrier-inbox', remove: (rowsMax) => sweepNotices(db, rowsMax) }),
      defineDeletion({ db, name: 'carrier-requests', remove: (rowsMax) => sweepRequests(db, rowsMax) }),
    ],
  };
}

/** Opens the services that web clients need. */
export function openWebClients(context: Context, networkOf: NetworkOf) {
  const copiesOf: CopiesOf = (ledger) => networkOf(ledger)?.webClientCopies;
  const exchange = createWebClientExchange(context, copiesOf);
  const routes: WebClientRoutes = { exchange, copiesOf };
  const jobs = [webClientReleaseJob(context, exchange.endLegs) as JobHandler, webClientLegJob(context, copiesOf)];
  return { exchange, routes, audio: createAudioAuthorizer(context), jobs };
}
