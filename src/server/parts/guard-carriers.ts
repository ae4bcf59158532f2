/** Measures and limits the requests to carriers. */
import type { Logger } from 'pino';
import type { Alarms } from '../../carriers/connections/alarms.ts';
import { createGuard, type Guard, type GuardSettings } from '../../carriers/connections/guard.ts';
import { CARRIER_CAPABILITIES, type Carrier, type CarrierCapability } from '../../carriers/ports/carrier.ts';
import { type ObservePort, observePort } from '../../carriers/ports/observed.ts';
import type { ErrorDetail } from '../../carriers/ports/outcome.ts';
import type { Metrics } from '../../lib/metrics.ts';

/** Returns the carrier with measured and guarded requests, in all of its capabilities. */
export type GuardCarrier = (carrier: Carrier, connection: string, settings?: Partial<GuardSettings>) => Carrier;

const CIRCUIT_VALUES = { closed: 0, half_open: 1, open: 2 } as const;

type GuardParts = { readonly alarms: Alarms; readonly log: Logger; readonly metrics: Metrics };
type Alarm = (capability: CarrierCapability, error: ErrorDetail) => void;

/** Each connection has a separate guard, so no connection uses another one's slots. */
export function createCarrierGuards({ alarms, log, metrics }: GuardParts): GuardCarrier {
  const guards: Guard[] = [];
  metrics.sample(() => {
    for (const { connection, capability, circuit, inFlight } of guards.flatMap((guard) => guard.list())) {
      metrics.carrierInFlight.set({ connection, capability }, inFlight);
      metrics.carrierCircuit.set({ connection, capability }, CIRCUIT_VALUES[circuit]);
    }
  });
  return (carrier, connection, settings) => {
    const alarm: Alarm = (capability, error) => alarms.raise(connection, capability, error);
    const guard = createGuard({ connection, log, metrics, alarm, ...(settings && { settings }) });
    guards.push(guard);
    const ports = CARRIER_CAPABILITIES.flatMap((capability) => {
      const port: object | undefined = carrier[capability];
      if (port === undefined) return [];
      const observe: ObservePort = ({ operation, result, durationMs }) =>
        metrics.carrierRequests.observe({ carrier: carrier.name, capability, operation, result }, durationMs / 1000);
      return [[capability, observePort(guard.wrap(port, capability), observe)] as const];
    });
    return { name: carrier.name, ...Object.fromEntries(ports) };
  };
}
