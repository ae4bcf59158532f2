/**
 * Prevents a slow carrier from slowing others. Each connection has a guard, and all requests of the connection pass
 * through it:
 *
 * - Requests end after some seconds. A command is then `unknown`, a question `undecided` (see `operations.ts`).
 * - The number of concurrent requests is bounded, for each capability separately. More requests wait in order, for a
 *   limited time.
 * - After several consecutive failures, no request of the capability is made for a time (`circuit.ts`). A request fails
 *   if it throws, or does not end in time. It also fails if its answer is `unknown`, or `unavailable` because the
 *   carrier is unreachable. A refusal by the carrier is no failure. `undecided` is neither a failure nor a success.
 */
import type { Logger } from 'pino';
import { endsWithin } from '../../lib/concurrency/ends-within.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { monotonicMs } from '../../lib/time/time.ts';
import type { CarrierCapability } from '../ports/carrier.ts';
import { OPERATIONS, type OperationKind } from '../ports/operations.ts';
import type { ErrorDetail } from '../ports/outcome.ts';
import { withRequestSignal } from '../ports/request-signal.ts';
import { type Circuit, type CircuitState, createCircuit } from './circuit.ts';
import { createSlots, type Slots } from './slots.ts';

export type GuardSettings = {
  /** The most concurrent requests for texts, and for calls. Each other capability has a quarter of this number. */
  readonly concurrencyMax: number;
  /** How many requests may wait for each concurrent one. */
  readonly waitingPerSlot: number;
  /**
   * How long a request may wait before it is made. It is less than half of the shortest lease, so that a process that
   * was stopped makes no request for work that another process has claimed in the meantime.
   */
  readonly waitMsMax: number;
  readonly requestMsMax: number;
  /** The time limit for files: the audio of calls, which may last an hour, and the documents of a port-in. */
  readonly transferMsMax: number;
  /**
   * After this number of consecutive failures, no requests are made for a time. With Infinity there is no such limit.
   */
  readonly failuresMax: number;
  /** How long no requests are made the first time. The maximum follows. */
  readonly openMsMin: number;
  readonly openMsMax: number;
};

const GUARD_SETTINGS: GuardSettings = {
  concurrencyMax: 64,
  waitingPerSlot: 7,
  waitMsMax: 2_000,
  requestMsMax: 5_000,
  transferMsMax: 60_000,
  failuresMax: 5,
  openMsMin: 5_000,
  openMsMax: 60_000,
};

/**
 * The simulated network has no outages. Tests set its failures, and failures in one ledger must not stop other ledgers.
 * Its requests are statements, which already wait for database connections.
 */
export const SIMULATED_GUARD: Partial<GuardSettings> = {
  concurrencyMax: 256,
  failuresMax: Number.POSITIVE_INFINITY,
};

/**
 * The most concurrent downloads, and the most concurrent uploads. The same number of each may wait. Their files are in
 * memory.
 */
const TRANSFERS_MAX = 4;
/** Reads and transfers have separate slots and separate circuits. So a slow search stops neither orders nor calls. */
const GATE_SUFFIX = {
  command: '',
  question: '',
  read: '_reads',
  download: '_downloads',
  upload: '_uploads',
} as const;
/** If too many requests wait, a request is refused. The caller may repeat it after this delay. */
const BUSY_MS = 2_000;

type GuardOptions = {
  /** The id of the connection, or `simulated`. */
  readonly connection: string;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'carrierRequestsCut' | 'carrierAccountRefusals'>;
  /** Stores an alarm for the operator: the account at the carrier does not allow a request. */
  readonly alarm?: (capability: CarrierCapability, error: ErrorDetail) => void;
  readonly settings?: Partial<GuardSettings>;
  /** Monotonic milliseconds; the clock of the process by default. */
  readonly now?: () => number;
};

/** The number of open requests of one capability. `_reads`, `_downloads` and `_uploads` are counted separately. */
type GuardedRequests = {
  readonly connection: string;
  readonly capability: string;
  readonly circuit: CircuitState;
  readonly inFlight: number;
};

export type Guard = {
  /** Returns the port with guarded operations. Its other properties do not change. */
  wrap<Port extends object>(port: Port, capability: CarrierCapability): Port;
  list(): GuardedRequests[];
};

type AnyOperation = (...args: unknown[]) => Promise<unknown>;

export function createGuard(options: GuardOptions): Guard {
  const gates = new Map<string, Gate>();
  const gateOf = (capability: CarrierCapability, kind: OperationKind): Gate => {
    const name = `${capability}${GATE_SUFFIX[kind]}`;
    const gate = gates.get(name) ?? createGate(options, name, kind);
    gates.set(name, gate);
    return gate;
  };
  return {
    wrap: (port, capability) => {
      const guarded = Object.entries<OperationKind>(OPERATIONS[capability]).flatMap(([name, kind]) => {
        const call = Reflect.get(port, name) as AnyOperation | undefined;
        // The carrier lacks this optional operation.
        if (call === undefined) return [];
        const request: AnyOperation = (...args) =>
          guardRequest(gateOf(capability, kind), kind, async () => {
            const answer: unknown = await Reflect.apply(call, port, args);
            if (isAccountRefusal(answer)) reportAccount(options, capability, answer.errorDetail);
            return answer;
          });
        return [[name, request] as const];
      });
      const operations = new Map<string | symbol, AnyOperation>(guarded);
      return new Proxy(port, { get: (target, name) => operations.get(name) ?? Reflect.get(target, name) });
    },
    list: () =>
      [...gates].map(([capability, { circuit, slots }]) => ({
        connection: options.connection,
        capability,
        circuit: circuit.state,
        inFlight: slots.inUse(),
      })),
  };
}

type AccountRefusal = { readonly cause: 'account' | 'limit'; readonly errorDetail?: ErrorDetail };

function isAccountRefusal(answer: unknown): answer is AccountRefusal {
  if (typeof answer !== 'object' || answer === null || !('cause' in answer)) return false;
  return answer.cause === 'account' || answer.cause === 'limit';
}

function reportAccount(
  { connection, log, metrics, alarm }: GuardOptions,
  capability: CarrierCapability,
  error: ErrorDetail = { carrier_code: '', title: '' },
): void {
  metrics.carrierAccountRefusals.inc({ connection, capability });
  log.error(
    { connection, capability, code: error.carrier_code, title: error.title },
    'the account at the carrier does not allow a request; look at it in the portal of the carrier',
  );
  alarm?.(capability, error);
}

/** Why the carrier's answer to a request is missing. */
type Cut = 'timed_out' | 'circuit_open' | 'busy';

/** The limits on the requests of one capability. */
type Gate = {
  readonly circuit: Circuit;
  readonly slots: Slots;
  readonly requestMsMax: number;
  countCut(reason: Cut): void;
};

function createGate(
  { connection, log, metrics, ...options }: GuardOptions,
  capability: string,
  kind: OperationKind,
): Gate {
  const settings = { ...GUARD_SETTINGS, ...options.settings };
  const { concurrencyMax, waitMsMax, openMsMin, openMsMax, failuresMax } = settings;
  const isTransfer = kind === 'download' || kind === 'upload';
  const requestMsMax = isTransfer ? settings.transferMsMax : settings.requestMsMax;
  const isFrequent = capability === 'messaging' || capability === 'voice';
  const share = isFrequent ? concurrencyMax : Math.ceil(concurrencyMax / 4);
  const slotsMax = isTransfer ? TRANSFERS_MAX : share;
  const waitingMax = slotsMax * (isTransfer ? 1 : settings.waitingPerSlot);
  const circuit = createCircuit({
    failuresMax,
    openMsMin,
    openMsMax,
    probeMs: settings.requestMsMax,
    now: options.now ?? monotonicMs,
    onChange: (state, openMs) => {
      if (state === 'open') {
        log.warn(
          { connection, capability, openMs },
          'requests to the carrier fail one after another; none is made for now',
        );
      } else if (state === 'closed') log.info({ connection, capability }, 'the carrier answers again');
    },
  });
  return {
    circuit,
    slots: createSlots({ slotsMax, waitingMax, waitMsMax }),
    requestMsMax,
    countCut: (reason) => metrics.carrierRequestsCut.inc({ connection, capability, reason }),
  };
}

async function guardRequest(gate: Gate, kind: OperationKind, request: () => Promise<unknown>): Promise<unknown> {
  const { circuit, slots } = gate;
  if (circuit.waitMs() > 0) return refuse(gate, kind, 'circuit_open');
  if (!(await slots.take())) return refuse(gate, kind, 'busy');
  try {
    // The circuit may have opened while the request waited.
    if (circuit.waitMs() > 0) return refuse(gate, kind, 'circuit_open');
    return await makeRequest(gate, kind, request);
  } finally {
    slots.leave();
  }
}

async function makeRequest(gate: Gate, kind: OperationKind, request: () => Promise<unknown>): Promise<unknown> {
  const { circuit, requestMsMax } = gate;
  const attempt = circuit.begin();
  const controller = new AbortController();
  const answering = withRequestSignal(controller.signal, async () => request());
  const ended = answering.then(
    () => undefined,
    () => undefined,
  );
  if (!(await endsWithin(ended, requestMsMax))) {
    circuit.fail(attempt);
    gate.countCut('timed_out');
    controller.abort(new Error(`the carrier has not answered within ${requestMsMax} ms`));
    return answerLate(kind, ended);
  }
  try {
    const answer = await answering;
    const verdict = judge(answer);
    if (verdict === 'works') circuit.succeed();
    else if (verdict === 'fails') circuit.fail(attempt);
    else circuit.pass(attempt);
    return answer;
  } catch (error) {
    circuit.fail(attempt);
    throw error;
  }
}

/**
 * Returns the answer for a request that has not ended in time. The request may still reach the carrier until `ended`
 * resolves.
 */
function answerLate(kind: OperationKind, ended: Promise<void>): unknown {
  if (kind === 'command' || kind === 'upload') return { outcome: 'unknown', ended };
  if (kind === 'question') return { found: 'undecided' };
  throw new ApiError('carrier_unavailable', { retryAfterS: 5 });
}

/** Returns the answer for a request that was not made. */
function refuse({ circuit, countCut }: Gate, kind: OperationKind, reason: 'circuit_open' | 'busy'): unknown {
  countCut(reason);
  const isBusy = reason === 'busy';
  const retryAfterMs = Math.ceil(isBusy ? BUSY_MS : circuit.waitMs());
  if (kind === 'command' || kind === 'upload')
    return { outcome: 'unavailable', retryAfterMs, cause: isBusy ? 'busy' : 'unreachable' };
  if (kind === 'question') return { found: 'undecided' };
  throw new ApiError('carrier_unavailable', { retryAfterS: Math.ceil(retryAfterMs / 1_000) });
}

/** Classifies what an answer says about the carrier. An adapter also returns `undecided` if it could not ask. */
function judge(answer: unknown): 'works' | 'fails' | 'unclear' {
  if (typeof answer !== 'object' || answer === null) return 'works';
  if ('found' in answer) return answer.found === 'undecided' ? 'unclear' : 'works';
  if (!('outcome' in answer)) return 'works';
  if (answer.outcome === 'unknown') return 'fails';
  return 'cause' in answer && answer.cause === 'unreachable' ? 'fails' : 'works';
}
