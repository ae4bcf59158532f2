/**
 * How many requests of one ledger are carried out at a time. Each may hold a database connection, of which a process
 * has few: without a bound the requests of one ledger, slow ones above all, would hold them all, and the others would
 * be told that the database is away. What is beyond the bound waits in the order of its arrival.
 */
import type { FastifyRequest, RouteOptions } from 'fastify';
import { ApiError } from '../../lib/errors.ts';

export type AdmissionOptions = {
  /** Requests of one ledger at a time. */
  ledgerMax: number;
  /** Most that wait behind them. */
  waitingMax: number;
  /** How long one may wait. */
  waitMs: number;
};

/** Less than half of a process's connections; a place is held for some milliseconds, so it is no limit on the rate. */
const STANDARD: AdmissionOptions = { ledgerMax: 10, waitingMax: 200, waitMs: 5_000 };

/** Gives the place to the next; a second call does nothing. */
type Leave = () => void;

type Ledger = { used: number; waiting: Set<() => void> };

export type Admission = ReturnType<typeof createAdmission>;

export function createAdmission(options: Partial<AdmissionOptions> = {}) {
  const { ledgerMax, waitingMax, waitMs } = { ...STANDARD, ...options };
  /** Those with requests under way. */
  const ledgers = new Map<number, Ledger>();

  const placeOf = (ledgerId: number, ledger: Ledger): Leave => {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const [next] = ledger.waiting;
      if (next !== undefined) return next();
      if (--ledger.used === 0) ledgers.delete(ledgerId);
    };
  };

  const waitIn = (ledger: Ledger): Promise<void> =>
    new Promise((resolve, reject) => {
      if (ledger.waiting.size >= waitingMax) return reject(crowded());
      const enter = () => {
        clearTimeout(timer);
        ledger.waiting.delete(enter);
        resolve();
      };
      const timer = setTimeout(() => {
        ledger.waiting.delete(enter);
        reject(crowded());
      }, waitMs);
      ledger.waiting.add(enter);
    });

  /** Resolves when there is a place; the caller leaves it. Errors: rate_limited. */
  async function enter(ledgerId: number): Promise<Leave> {
    const ledger = ledgers.get(ledgerId) ?? { used: 0, waiting: new Set() };
    ledgers.set(ledgerId, ledger);
    // Who waited takes over the place of the one who left.
    if (ledger.used < ledgerMax) ledger.used++;
    else await waitIn(ledger);
    return placeOf(ledgerId, ledger);
  }

  return { enter };
}

function crowded(): ApiError {
  return new ApiError('rate_limited', {
    message: 'Too many requests of this account are under way at the same time.',
    retryAfterS: 1,
  });
}

const places = new WeakMap<FastifyRequest, Leave>();

/** For a request that now waits for something other than the database: others of its ledger may come in. */
export function releaseSlot(request: FastifyRequest): void {
  places.get(request)?.();
}

type Handler = RouteOptions['handler'];

/**
 * A hook for routes: their handlers run once their ledger has a place for them, and a reply that is on its way to a
 * slow reader holds none. Routes with `batched` hold no connection each and are not counted.
 */
export function admitByLedger(admission: Admission): (route: RouteOptions) => void {
  // The HEAD route that comes with a GET has the same handler.
  const admitting = new WeakSet<Handler>();
  return (route) => {
    const { handler, config } = route;
    if (config?.public || config?.batched || admitting.has(handler)) return;
    route.handler = async function admitted(request, reply) {
      const { ledgerId } = request.link ?? request.scope;
      const leave = await admission.enter(ledgerId);
      places.set(request, leave);
      try {
        return await handler.call(this, request, reply);
      } finally {
        leave();
      }
    };
    admitting.add(route.handler);
  };
}
