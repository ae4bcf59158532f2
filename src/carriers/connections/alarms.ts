/** Alarms for operators: errors that show that an account at a carrier does not allow requests. */
import type { Logger } from 'pino';
import type { Db } from '../../db/database.ts';
import { ignoreError } from '../../lib/errors/ignore-error.ts';
import { monotonicMs } from '../../lib/time/time.ts';
import type { CarrierCapability } from '../ports/carrier.ts';
import type { ErrorDetail } from '../ports/outcome.ts';
import { keepAlarm } from './alarm-queries.ts';

/** How often one process renews an alarm at most, because thousands of waiting texts may raise it. */
const RENEW_MS = 60_000;
/** The most alarms that one process remembers. */
const KNOWN_MAX = 1_000;

export type Alarms = {
  /** Raises or renews an alarm. The alarm is stored later. If it is lost, the next refusal raises it again. */
  raise(connection: string, capability: CarrierCapability, error: ErrorDetail): void;
};

export function createAlarms({ db, log }: { db: Pick<Db, 'query'>; log: Logger }): Alarms {
  const renewedAt = new Map<string, number>();
  return {
    raise: (connection, capability, error) => {
      const name = `${connection} ${capability} ${error.carrier_code}`;
      const at = monotonicMs();
      const last = renewedAt.get(name);
      if (last !== undefined && at - last < RENEW_MS) return;
      if (renewedAt.size >= KNOWN_MAX) renewedAt.clear();
      renewedAt.set(name, at);
      const keep = keepAlarm(db, { connection, capability, ...error });
      ignoreError(keep, log, 'the alarm of a connection was not stored; the next refusal stores it');
    },
  };
}
