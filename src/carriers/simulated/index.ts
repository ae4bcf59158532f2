import type { Logger } from 'pino';
import { durationMsOf } from '../../audio/pcm.ts';
import type { Database } from '../../db/database.ts';
import type { RoutePlugin } from '../../http/edge/types.ts';
import type { JobHandler } from '../../queue/jobs/job.ts';
import type { Synthesizer } from '../../speech/speech-synthesis.ts';
import type { Carrier, CarrierEventSink } from '../ports/carrier.ts';
import { createControlSimulation, type LedgerControls } from './control-routes.ts';
import type { DomainFacts } from './domain-facts.ts';
import { createSimulatedE911 } from './e911.ts';
import { createMessageSimulation } from './message-routes.ts';
import { createReceiptHandler, createSimulatedMessaging } from './messaging.ts';
import { createSimulatedNumbers } from './numbers.ts';
import { createPortInSimulation } from './port-in-routes.ts';
import { createPortInReporter, createSimulatedPorting } from './port-ins.ts';
import { createSimulatedRegistry } from './registry.ts';
import { createReviewSimulation } from './review-routes.ts';
import type { TakeEvents } from './take-events.ts';
import { createActionWorker } from './voice/action-worker.ts';
import { createLiveAudio } from './voice/audio/live-audio.ts';
import { createSimulatedSpeechToText, simulatedSummarizer } from './voice/audio/speech.ts';
import { createCallExecutor } from './voice/executor.ts';
import { createSimulatedVoice } from './voice/index.ts';
import { createVoiceSimulation } from './voice/routes.ts';
import { createWebClientPort } from './voice/web-client-port.ts';

type SimulatedCarrierOptions = {
  db: Database;
  sink: CarrierEventSink;
  /** For what happens on calls, whose books change with the domain. */
  takeEvents: TakeEvents;
  facts: DomainFacts;
  synthesizer: Synthesizer;
};

/** The network of test ledgers: a carrier with books of its own, durable timers, and controls under /v1/test. */
export function createSimulatedCarrier({ db, sink, takeEvents, facts, synthesizer }: SimulatedCarrierOptions) {
  const speechMs = async (text: string) => durationMsOf(await synthesizer.synthesize(text));
  const executor = createCallExecutor({ takeEvents, facts });
  const carrier: Carrier = {
    name: 'simulated',
    numbers: createSimulatedNumbers(db),
    messaging: createSimulatedMessaging(db),
    registry: createSimulatedRegistry({ db, sink }),
    e911: createSimulatedE911(db),
    porting: createSimulatedPorting(db),
    voice: createSimulatedVoice({ db, executor, synthesizer, speechMs }),
  };
  return {
    carrier,
    /** Rings web clients, and takes what is done there. */
    webClients: createWebClientPort({ db, executor, facts }),
    /** Makes calls audible to the gateway. */
    makeAudible: (log: Logger) => createLiveAudio({ db, synthesizer, log }),
    /** Reads the books for what was said. */
    toText: createSimulatedSpeechToText(db),
    summarizer: simulatedSummarizer,
    handlers: [
      createReceiptHandler(db, sink),
      createPortInReporter(db, sink),
      createActionWorker({ db, executor, speechMs }),
    ] as JobHandler[],
    routes: (controls: LedgerControls): RoutePlugin[] => [
      createMessageSimulation(),
      createReviewSimulation(),
      createPortInSimulation(),
      createVoiceSimulation({ executor, facts, speechMs }),
      createControlSimulation(controls),
    ],
  };
}
