import type { Database } from '../../db/database.ts';
import type { RoutePlugin } from '../../http/types.ts';
import type { JobHandler } from '../../jobs/job.ts';
import type { Carrier, CarrierEventSink } from '../port.ts';
import { createControlSimulation, type LedgerControls } from './control-routes.ts';
import { createSimulatedE911 } from './e911.ts';
import { createMessageSimulation } from './message-routes.ts';
import { createReceiptHandler, createSimulatedMessaging } from './messaging.ts';
import { createSimulatedNumbers } from './numbers.ts';
import { createPortInSimulation } from './port-in-routes.ts';
import { createPortInReporter, createSimulatedPorting } from './port-ins.ts';
import { createSimulatedRegistry } from './registry.ts';
import { createReviewSimulation } from './review-routes.ts';

type SimulatedCarrierOptions = {
  db: Database;
  sink: CarrierEventSink;
};

/** The network of test ledgers: a carrier with books of its own, durable timers, and controls under /v1/test. */
export function createSimulatedCarrier({ db, sink }: SimulatedCarrierOptions) {
  const carrier: Carrier = {
    name: 'simulated',
    numbers: createSimulatedNumbers(db),
    messaging: createSimulatedMessaging(db),
    registry: createSimulatedRegistry({ db, sink }),
    e911: createSimulatedE911(db),
    porting: createSimulatedPorting(db),
  };
  return {
    carrier,
    handlers: [createReceiptHandler(db, sink), createPortInReporter(db, sink)] as JobHandler[],
    routes: (controls: LedgerControls): RoutePlugin[] => [
      createMessageSimulation(),
      createReviewSimulation(),
      createPortInSimulation(),
      createControlSimulation(controls),
    ],
  };
}
