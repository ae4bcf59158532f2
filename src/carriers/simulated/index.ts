import type { Logger } from 'pino';
import { durationMsOf } from '../../audio/pcm.ts';
import type { Database } from '../../db/database.ts';
import type { RoutePlugin } from '../../http/edge/types.ts';
import type { JobHandler } from '../../queue/jobs/job.ts';
import type { Synthesizer } from '../../speech/speech-synthesis.ts';
import type { Carrier, CarrierEventSink } from '../ports/carrier.ts';
import { createControlSimulation, type LedgerControls } from './control-routes.ts';
import { createSimulatedE911 } from './e911.ts';
import { createMessageSimulation } from './message-routes.ts';
import { createReceiptHandler, createSimulatedMessaging } from './messaging.ts';
import { createSimulatedNumbers } from './numbers.ts';
import { createPortInSimulation } from './port-in-routes.ts';
import { createPortInReporter, createSimulatedPorting } from './port-ins.ts';
import { createSimulatedRegistry } from './registry.ts';
import { createReviewSimulation } from './review-routes.ts';
import type { TakeEvents } from './take-events.ts';
import { createSimulatedVoice } from './voice/index.ts';
import { createLiveAudio } from './voice/live-audio.ts';
import { createActPerformer } from './voice/performer.ts';
import { createVoiceSimulation } from './voice/routes.ts';
import { createSimulatedSpeechToText, simulatedSummarizer } from './voice/speech.ts';
import { createWebClientPort } from './voice/web-clients.ts';

type SimulatedCarrierOptions = {
  db: Database;
  sink: CarrierEventSink;
  /** For what happens on calls, whose books change with the domain. */
  takeEvents: TakeEvents;
  synthesizer: Synthesizer;
};

/** The network of test ledgers: a carrier with books of its own, durable timers, and controls under /v1/test. */
export function createSimulatedCarrier({ db, sink, takeEvents, synthesizer }: SimulatedCarrierOptions) {
  const speechMs = async (text: string) => durationMsOf(await synthesizer.synthesize(text));
  const carrier: Carrier = {
    name: 'simulated',
    numbers: createSimulatedNumbers(db),
    messaging: createSimulatedMessaging(db),
    registry: createSimulatedRegistry({ db, sink }),
    e911: createSimulatedE911(db),
    porting: createSimulatedPorting(db),
    voice: createSimulatedVoice({ db, synthesizer, takeEvents }),
  };
  return {
    carrier,
    /** Rings web clients, and takes what is done there. */
    webClients: createWebClientPort,
    /** Makes calls audible to the gateway. */
    makeAudible: (log: Logger) => createLiveAudio({ db, synthesizer, log }),
    /** Reads the books for what was said. */
    toText: createSimulatedSpeechToText(db),
    summarizer: simulatedSummarizer,
    handlers: [
      createReceiptHandler(db, sink),
      createPortInReporter(db, sink),
      createActPerformer({ db, takeEvents, speechMs }),
    ] as JobHandler[],
    routes: (controls: LedgerControls): RoutePlugin[] => [
      createMessageSimulation(),
      createReviewSimulation(),
      createPortInSimulation(),
      createVoiceSimulation(synthesizer),
      createControlSimulation(controls),
    ],
  };
}
