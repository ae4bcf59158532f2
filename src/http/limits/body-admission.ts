/**
 * Bounds the bytes of large bodies that a process reads or holds at a time, in all and for each account. A request
 * waits before its body is read, so many large bodies do not fill the memory. A waiting account does not delay other
 * accounts.
 */
import { ApiError } from '../../lib/errors/errors.ts';
import { after } from '../../lib/time/time.ts';

export type BodyAdmissionOptions = {
  /** Bytes of all large bodies. */
  totalBytesMax: number;
  /** Bytes of the large bodies of one account. It is less than the total, so that one account never holds all of it. */
  accountBytesMax: number;
  /** Requests of one account that wait. */
  waitingMax: number;
  /** How long a request may wait. */
  waitMs: number;
};

const MIB = 1024 * 1024;

export const BODY_ADMISSION: BodyAdmissionOptions = {
  totalBytesMax: 80 * MIB,
  accountBytesMax: 20 * MIB,
  waitingMax: 50,
  waitMs: 15_000,
};

/** The exceeded bound of a refused request. */
type Bound = 'account' | 'total';

type Held = { readonly account: string; readonly bytes: number };

type Waiting = Held & { start(): void };

/** Frees the bytes of an admitted body; a second call does nothing. */
type Release = () => void;

export type BodyAdmission = ReturnType<typeof createBodyAdmission>;

/** @param onRefused is called with the bound that has refused a request */
export function createBodyAdmission(options: BodyAdmissionOptions, onRefused: (bound: Bound) => void) {
  const { totalBytesMax, accountBytesMax, waitingMax, waitMs } = options;
  const heldBy = new Map<string, number>();
  /** In the order of their arrival. */
  const waiting = new Set<Waiting>();
  let total = 0;

  const fitsAccount = ({ account, bytes }: Held) => (heldBy.get(account) ?? 0) + bytes <= accountBytesMax;

  const change = ({ account, bytes }: Held, sign: 1 | -1) => {
    total += sign * bytes;
    const sum = (heldBy.get(account) ?? 0) + sign * bytes;
    if (sum === 0) heldBy.delete(account);
    else heldBy.set(account, sum);
  };

  /** Starts waiting requests that fit. A small request does not overtake a large one that waits for the total. */
  const startNext = () => {
    for (const next of waiting) {
      if (!fitsAccount(next)) continue;
      if (total + next.bytes > totalBytesMax) return;
      waiting.delete(next);
      change(next, 1);
      next.start();
    }
  };

  const refuse = (held: Held): ApiError => {
    onRefused(fitsAccount(held) ? 'total' : 'account');
    const message = 'Too many large bodies are being sent at the same time.';
    return new ApiError('rate_limited', { message, retryAfterS: 1 });
  };

  const waitFor = (held: Held): Promise<void> =>
    new Promise((resolve, reject) => {
      const ofAccount = [...waiting].filter(({ account }) => account === held.account);
      if (ofAccount.length >= waitingMax) return reject(refuse(held));
      const entry: Waiting = {
        ...held,
        start: () => {
          timer.cancel();
          resolve();
        },
      };
      const timer = after(waitMs, () => {
        waiting.delete(entry);
        reject(refuse(held));
        startNext();
      });
      waiting.add(entry);
      startNext();
    });

  /** Resolves when a body of this many bytes may be read. Error: rate_limited. */
  async function enter(account: string, bytes: number): Promise<Release> {
    const held = { account, bytes };
    await waitFor(held);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      change(held, -1);
      startNext();
    };
  }

  return { enter };
}
