import { durationMsOf } from '../../audio/pcm.ts';
import type { RoutePlugin } from '../../http/edge/types.ts';
import type { JobHandler } from '../../queue/jobs/job.ts';
import type { Adapter, AdapterParts, ConnectedCarrier, LedgerControls } from '../adapter.ts';
import type { Carrier } from '../ports/carrier.ts';
import { createControlSimulation } from './control-routes.ts';
import { createSimulatedE911 } from './e911.ts';
import { createMessageSimulation, type MessageDomain } from './message-routes.ts';
import { createReceiptHandlers, createSimulatedMessaging } from './messaging.ts';
import { createSimulatedNumbers } from './numbers.ts';
import { createPortInSimulation, type PortInDomain } from './port-in-routes.ts';
import { createPortInReporter, createSimulatedPorting } from './port-ins.ts';
import { createPortOutSimulation, type PortOutDomain } from './port-out-routes.ts';
import { createSimulatedRegistry } from './registry.ts';
import { createReviewSimulation, type ReviewDomain } from './review-routes.ts';
import type { CallDomain } from './voice/call-parts.ts';
import { createActionWorker, createSimulatedCalls } from './voice/executor.ts';
import { createHandsetSimulation } from './voice/handset-routes.ts';
import { createHandsets, type TokenParts } from './voice/handsets.ts';
import { createSimulatedSpeechToText, createSimulatedVoice, simulatedSummarizer } from './voice/index.ts';
import { createLiveAudio } from './voice/live-audio.ts';
import { createVoiceSimulation } from './voice/routes.ts';
import type { ReadHoldAudio } from './voice/sounds.ts';

/**
 * Durable jobs send their events to `sink`. Calls and routes send theirs to `takeEvents`, in the transaction that
 * changes the carrier's state.
 */
type SimulatedCarrierOptions = Omit<AdapterParts, 'readHoldAudio' | 'metrics' | 'alarms'> & {
  readonly domain: SimulatedDomain;
  /** If absent, every hold plays the built-in audio. */
  readonly readHoldAudio?: ReadHoldAudio;
};

/**
 * The parts of the domain that the simulated carrier needs. An adapter does not import the domain, so the composition
 * root passes them in.
 */
export type SimulatedDomain = {
  readonly messages: MessageDomain;
  readonly reviews: ReviewDomain;
  readonly portIns: PortInDomain;
  readonly portOuts: PortOutDomain;
  readonly calls: CallDomain;
};

/** The network of test ledgers: a carrier with its own tables and durable timers, and routes under /v1/test. */
export function createSimulatedCarrier(options: SimulatedCarrierOptions) {
  const { db, log, sink, takeEvents, synthesizer, domain, readHoldAudio } = options;
  const makers = {
    synthesize: synthesizer.synthesize,
    readHoldAudio: async (audioRef: string) => {
      try {
        return await readHoldAudio?.(audioRef);
      } catch (error) {
        log.error({ err: error, audio: audioRef }, 'hold audio could not be read; plays the built-in pattern');
        return undefined;
      }
    },
  };
  const speechMs = async (text: string) => durationMsOf(await synthesizer.synthesize(text));
  const { executor, copies } = createSimulatedCalls({ takeEvents, domain: domain.calls });
  const live = createLiveAudio({ db, makers, log });
  const carrier: Carrier = {
    name: 'simulated',
    numbers: createSimulatedNumbers(db),
    messaging: createSimulatedMessaging(db),
    registry: createSimulatedRegistry({ db, sink }),
    e911: createSimulatedE911(db),
    porting: createSimulatedPorting(db),
    voice: {
      ...createSimulatedVoice({ db, executor, makers, speechMs }),
      audio: { populate: live.populate },
    },
  };
  const network = {
    carrier,
    check: async () => [],
    setup: async () => [],
    webClientCopies: copies,
    // Transcribes simulated calls from the texts that were spoken on them.
    speech: { toText: createSimulatedSpeechToText(db), summarizer: simulatedSummarizer, voice: synthesizer },
  } satisfies ConnectedCarrier;
  return {
    connect: () => network,
    /** The only connection of this carrier. It has no row in the database. */
    network,
    /** Returns the handsets of its calls. */
    handsetsOf: (parts: TokenParts) => createHandsets(parts, { db, live }),
    jobs: [
      ...createReceiptHandlers(db, sink),
      createPortInReporter(db, sink),
      createActionWorker({ db, executor, speechMs, makers }),
    ] as JobHandler[],
    /** The routes under /v1/test. */
    routes: (controls: LedgerControls): RoutePlugin[] => [
      createMessageSimulation({ takeEvents, domain: domain.messages }),
      createReviewSimulation(domain.reviews),
      createPortInSimulation(domain.portIns),
      createPortOutSimulation(domain.portOuts),
      createVoiceSimulation({ executor, domain: domain.calls, speechMs }),
      createHandsetSimulation({ domain: domain.calls }),
      createControlSimulation(controls),
    ],
  } satisfies Adapter & Record<string, unknown>;
}
