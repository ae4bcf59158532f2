/** Alarms for the operator about a trunk that refuses all calls, whatever number is dialled. */
import type { EngineClient } from './ari-client.ts';
import type { SipTrunk } from './config/settings.ts';
import type { SipLeg } from './leg-queries.ts';
import type { SipLine } from './sip-line.ts';

type Refused = {
  readonly engine: EngineClient;
  readonly leg: SipLeg;
  readonly trunk: SipTrunk;
  /** The SIP status. */
  readonly status: number;
};

const TITLES: Readonly<Record<number, string>> = {
  401: 'it does not take the password',
  402: 'it wants to be paid',
  403: 'it forbids the call',
  407: 'it does not take the password',
  415: 'it does not take the audio that is offered',
  488: 'it does not take the audio that is offered',
};
const REDIRECTED = 'it sends the call to another address, which is not followed';

/** Alarms the operator: in the log, in the metrics, and in the console. */
export function alarmOfTrunk(line: SipLine, { engine, leg, trunk: { name }, status }: Refused): void {
  const { connectionId: connection, log, metrics, alarms } = line;
  log.error(
    { connection, engine: engine.name, trunk: name, call: leg.callRef, leg: leg.legRef, sip_status: status },
    'the trunk refuses calls; look at its settings, and at the account at its provider',
  );
  metrics.carrierAccountRefusals.inc({ connection, capability: 'voice' });
  const title = `The trunk ${name} refuses calls: ${TITLES[status] ?? REDIRECTED}`;
  alarms.raise(connection, 'voice', { carrier_code: `${name} ${status}`, title });
}
