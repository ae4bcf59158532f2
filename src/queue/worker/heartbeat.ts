import type { Logger } from 'pino';
import { ignoreError } from '../../lib/errors/ignore-error.ts';
import { every, monotonicMs, type Timer } from '../../lib/time/time.ts';

/** The claims of this process, renewed while their handlers run. */
export type Heartbeat<Claim> = {
  add(claim: Claim): void;
  delete(claim: Claim): void;
  /** Returns the claims. */
  held(): Claim[];
  /** Starts and stops renewal. */
  start(): void;
  stop(): void;
};

type HeartbeatOptions<Claim> = {
  leaseMs: number;
  /** Claims older than this are not renewed. */
  heldMaxMs: number;
  renew(claims: Claim[]): Promise<void>;
  log: Logger;
};

/**
 * Renews the claims every third of their lease, in one statement. Leaves out claims that are younger than a sixth of
 * the lease.
 */
export function createHeartbeat<Claim>({ leaseMs, heldMaxMs, renew, log }: HeartbeatOptions<Claim>): Heartbeat<Claim> {
  const since = new Map<Claim, number>();
  const everyMs = leaseMs / 3;
  let timer: Timer | undefined;
  const beat = () => {
    const now = monotonicMs();
    const aged: Claim[] = [];
    for (const [claim, at] of since) {
      if (now - at > everyMs / 2 && now - at < heldMaxMs) aged.push(claim);
    }
    if (aged.length > 0) ignoreError(renew(aged), log, 'the next beat renews the leases before they end');
  };
  return {
    add: (claim) => {
      since.set(claim, monotonicMs());
    },
    delete: (claim) => {
      since.delete(claim);
    },
    held: () => [...since.keys()],
    start: () => {
      timer ??= every(everyMs, beat).unref();
    },
    stop: () => {
      timer?.cancel();
      timer = undefined;
    },
  };
}

/** Joins heartbeats into one: `choose` names the heartbeat that renews a claim. */
export function joinHeartbeats<Claim>(
  parts: readonly Heartbeat<Claim>[],
  choose: (claim: Claim) => Heartbeat<Claim>,
): Heartbeat<Claim> {
  return {
    add: (claim) => choose(claim).add(claim),
    delete: (claim) => choose(claim).delete(claim),
    held: () => parts.flatMap((part) => part.held()),
    start: () => {
      for (const part of parts) part.start();
    },
    stop: () => {
      for (const part of parts) part.stop();
    },
  };
}
