/** The carriers of this process, and what applies their events. */
import type { Logger } from 'pino';
import { SIMULATED_GUARD } from '../carriers/connections/guard.ts';
import type { Carrier, CarrierEventSink, Carriers, TakeEvents } from '../carriers/ports/carrier.ts';
import type { WebClientPort } from '../carriers/ports/web-client.ts';
import { createSimulatedCarrier } from '../carriers/simulated/index.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { applyComplianceEvents } from '../domain/compliance/index.ts';
import { applyMessagingEvents } from '../domain/messaging/index.ts';
import { applyNumberEvents } from '../domain/numbers/index.ts';
import { webClientReleaseJob } from '../domain/voice/index.ts';
import { createAudioAuthorizer } from '../gateway/web-client/audio-authorizer.ts';
import { ApiError } from '../lib/errors.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Ledger } from '../lib/scope.ts';
import type { JobHandler } from '../queue/jobs/job.ts';
import { createSynthesizer } from '../speech/speech-synthesis.ts';
import { createCarrierGuards } from './guard-carriers.ts';
import { SIMULATED_DOMAIN } from './simulated-domain.ts';

/** Makes the carrier of live ledgers. */
export type MakeLiveCarrier = (product: { sink: CarrierEventSink; simulated: Carrier }) => Carrier;

type OpenCarriersOptions = {
  readonly db: Database;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly makeLive: MakeLiveCarrier | undefined;
};

export type OpenCarriers = {
  readonly carriers: Carriers;
  readonly simulated: ReturnType<typeof createSimulatedCarrier>;
  /** Adds a module that applies carrier events, after the others. */
  addTaker(take: TakeEvents): void;
};

/** The modules that apply carrier events, each its own. Calls are added later: they need the context. */
const EVENT_TAKERS: readonly TakeEvents[] = [applyMessagingEvents, applyComplianceEvents, applyNumberEvents];

export function openCarriers({ db, metrics, log, makeLive }: OpenCarriersOptions): OpenCarriers {
  const takers = [...EVENT_TAKERS];
  const takeEvents: TakeEvents = async (tx, ledger, events) => {
    for (const take of takers) await take(tx, ledger, events);
  };
  const sink = createSink(db, metrics, takeEvents);
  const synthesizer = createSynthesizer({ log });
  const simulated = createSimulatedCarrier({ db, sink, takeEvents, synthesizer, domain: SIMULATED_DOMAIN });
  const live = makeLive?.({ sink, simulated: simulated.carrier });
  const guard = createCarrierGuards({ log, metrics });
  return {
    carriers: chooseCarriers(guard(simulated.carrier, 'simulated', SIMULATED_GUARD), live && guard(live, 'live')),
    simulated,
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

/** Returns the carrier of a ledger: the simulated one in test mode, the configured one in live mode. */
function chooseCarriers(simulated: Carrier, live: Carrier | undefined): Carriers {
  const capability =
    <Name extends keyof Carriers>(name: Name) =>
    (ledger: Ledger): NonNullable<Carrier[Name]> => {
      const port = (ledger.mode === 'test' ? simulated : live)?.[name];
      if (port === undefined) throw new ApiError('carrier_unavailable', { retryAfterS: 60 });
      return port;
    };
  return {
    numbers: capability('numbers'),
    messaging: capability('messaging'),
    registry: capability('registry'),
    e911: capability('e911'),
    porting: capability('porting'),
    voice: capability('voice'),
  };
}

/** Only the simulated carrier rings web clients. */
export function openWebClients(context: Context, simulated: WebClientPort) {
  const webClientPortOf = ({ mode }: Ledger) => (mode === 'test' ? simulated : undefined);
  const releaseJob = webClientReleaseJob(context, async (ledger, webClient) =>
    webClientPortOf(ledger)?.endLegs(ledger, webClient),
  );
  return { webClientPortOf, audio: createAudioAuthorizer(context), releaseJob: releaseJob as JobHandler };
}
