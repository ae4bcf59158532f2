import type { Logger } from 'pino';
import { ignoreError } from '../../lib/ignore-error.ts';

/** Keeps the claims in hand alive while their handlers run. */
export type Heartbeat<Claim> = {
  add(claim: Claim): void;
  delete(claim: Claim): void;
  /** Claims in hand. */
  held(): Claim[];
  /** Starts and stops renewal. */
  start(): void;
  stop(): void;
};

type HeartbeatOptions<Claim> = {
  leaseMs: number;
  /** Claims older than this are left to run out. */
  heldMaxMs: number;
  renew(claims: Claim[]): Promise<void>;
  log: Logger;
};

/** Renews every claim that has been in hand for a third of its lease, in one statement for all of them. */
export function createHeartbeat<Claim>({ leaseMs, heldMaxMs, renew, log }: HeartbeatOptions<Claim>): Heartbeat<Claim> {
  const since = new Map<Claim, number>();
  const everyMs = leaseMs / 3;
  let timer: NodeJS.Timeout | undefined;
  const beat = () => {
    const now = performance.now();
    const aged: Claim[] = [];
    for (const [claim, at] of since) {
      if (now - at > everyMs / 2 && now - at < heldMaxMs) aged.push(claim);
    }
    if (aged.length > 0) ignoreError(renew(aged), log, 'the next beat renews the leases before they end');
  };
  return {
    add: (claim) => {
      since.set(claim, performance.now());
    },
    delete: (claim) => {
      since.delete(claim);
    },
    held: () => [...since.keys()],
    start: () => {
      timer ??= setInterval(beat, everyMs).unref();
    },
    stop: () => {
      clearInterval(timer);
      timer = undefined;
    },
  };
}

/** Several as one: each claim is kept alive by that of them which `choose` names. */
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
