/**
 * Bounds the number of requests of one ledger that run at a time. Each may hold a database connection, and a process
 * has few. Without a bound, slow requests of one ledger would hold all connections, and other ledgers would get
 * database_unavailable. Requests beyond the bound wait in the order of their arrival.
 */
import type { FastifyRequest, RouteOptions } from 'fastify';
import { ApiError } from '../../lib/errors/errors.ts';
import { after } from '../../lib/time/time.ts';

export type AdmissionOptions = {
  /** Requests of one ledger that run at a time. */
  ledgerMax: number;
  /** Requests of one ledger that wait for a slot. */
  waitingMax: number;
  /** How long a request may wait. */
  waitMs: number;
  /** The message of rate_limited for a request that does not get a slot. */
  refusal: string;
};

/**
 * The bounds with the standard pool. A request has its slot for some milliseconds, so these bounds do not limit the
 * rate of requests.
 */
const STANDARD: AdmissionOptions = {
  ledgerMax: 10,
  waitingMax: 200,
  waitMs: 5_000,
  refusal: 'Too many requests of this account are running at the same time.',
};

/**
 * Returns the number of requests of one ledger that may run at a time. It is less than half of the process's
 * connections.
 */
export function ledgerShare(connectionsMax: number): number {
  return Math.floor((connectionsMax * 10) / 24);
}

/** Gives the slot to the next waiting request; a second call does nothing. */
type Release = () => void;

type Ledger = { used: number; waiting: Set<() => void> };

export type Admission = ReturnType<typeof createAdmission>;

export function createAdmission(options: Partial<AdmissionOptions> = {}) {
  const { ledgerMax, waitingMax, waitMs, refusal } = { ...STANDARD, ...options };
  const refused = () => new ApiError('rate_limited', { message: refusal, retryAfterS: 1 });
  /** Ledgers with running requests. */
  const ledgers = new Map<number, Ledger>();

  const slotOf = (ledgerId: number, ledger: Ledger): Release => {
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
      if (ledger.waiting.size >= waitingMax) return reject(refused());
      const enter = () => {
        timer.cancel();
        ledger.waiting.delete(enter);
        resolve();
      };
      const timer = after(waitMs, () => {
        ledger.waiting.delete(enter);
        reject(refused());
      });
      ledger.waiting.add(enter);
    });

  /** Resolves when a slot is free; the caller releases it. Errors: rate_limited. */
  async function enter(ledgerId: number): Promise<Release> {
    const ledger = ledgers.get(ledgerId) ?? { used: 0, waiting: new Set() };
    ledgers.set(ledgerId, ledger);
    // The slot of a finished request passes directly to a waiting request, which does not count it again.
    if (ledger.used < ledgerMax) ledger.used++;
    else await waitIn(ledger);
    return slotOf(ledgerId, ledger);
  }

  return { enter };
}

const slots = new WeakMap<FastifyRequest, Release>();

/** Releases the slot of a request that from now on waits for something other than the database. */
export function releaseSlot(request: FastifyRequest): void {
  slots.get(request)?.();
}

type Handler = RouteOptions['handler'];

/**
 * Returns a hook for routes. A handler runs when its ledger has a free slot. The slot is released before the reply is
 * sent. Routes with `batched` are not counted, because their requests hold no connection.
 */
export function admitByLedger(admission: Admission): (route: RouteOptions) => void {
  // The HEAD route of a GET has the same handler.
  const admitting = new WeakSet<Handler>();
  return (route) => {
    const { handler, config } = route;
    if (config?.public || config?.batched || admitting.has(handler)) return;
    route.handler = async function admitted(request, reply) {
      const release = await admission.enter(ledgerOf(request));
      slots.set(request, release);
      try {
        return await handler.call(this, request, reply);
      } finally {
        release();
      }
    };
    admitting.add(route.handler);
  };
}

/** The console's own API has no ledger, so its requests share the slots of this one. */
const CONSOLE_LEDGER = 0;

function ledgerOf({ link, scope }: FastifyRequest): number {
  const ledger: { ledgerId: number } | null = link ?? scope;
  return ledger === null ? CONSOLE_LEDGER : ledger.ledgerId;
}
