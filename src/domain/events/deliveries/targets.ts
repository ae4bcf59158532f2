import type { Context } from '../../../context.ts';
import { secretContext } from '../webhook-endpoints/rules.ts';
import { findTarget, type TargetRow } from './lane-queries.ts';
import { createSigner, type Signer } from './signature.ts';

/** The address of an endpoint's deliveries, and their signature. */
export type Target = {
  readonly url: string;
  readonly eventVersion: string;
  readonly revision: number;
  /** How far the ledger's clock was ahead of wall time when this was read. */
  readonly clockOffsetMs: number;
  /** Returns signers for the secrets that are valid at a moment of wall time, newest first. */
  signersAt(wallMs: number): readonly Signer[];
};

type Opened = { signer: Signer; expiresAtMs: number | null };

/** Reads the target from the database; undefined if the endpoint is deleted. */
export async function readTarget(
  { db, cipher }: Pick<Context, 'db' | 'cipher'>,
  ledgerId: number,
  endpointId: string,
): Promise<Target | undefined> {
  const rows = await findTarget(db, ledgerId, endpointId);
  const first = rows[0];
  if (first === undefined) return undefined;
  const open = ({ secret, secret_id, expires_at_ms }: TargetRow): Opened => ({
    signer: createSigner(cipher.decrypt(secret, secretContext(ledgerId, endpointId, secret_id)).toString('utf8')),
    expiresAtMs: expires_at_ms,
  });
  const opened = rows.map(open);
  return toTarget(first, opened, first.clock_offset_ms);
}

function toTarget(
  { url, event_version, revision }: TargetRow,
  opened: readonly Opened[],
  clockOffsetMs: number,
): Target {
  const unlimited = opened.every(({ expiresAtMs }) => expiresAtMs === null) ? opened.map(({ signer }) => signer) : null;
  return {
    url,
    eventVersion: event_version,
    revision,
    clockOffsetMs,
    signersAt: (wallMs) =>
      unlimited ??
      opened
        .filter(({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > wallMs + clockOffsetMs)
        .map(({ signer }) => signer),
  };
}

const TARGETS_MAX = 10_000;

/** The facts about an endpoint that the sender has just read. */
export type Known = { readonly revision: number; readonly clockOffsetMs: number };

/**
 * Caches targets. A cached target is used only if its revision equals the one in the database and the ledger's clock
 * has not moved. So no delivery uses old settings.
 */
export function createTargets(context: Pick<Context, 'db' | 'cipher'>) {
  const targets = new Map<string, Target>();
  const reading = new Map<string, Promise<Target | undefined>>();

  const read = (ledgerId: number, endpointId: string): Promise<Target | undefined> => {
    const key = `${ledgerId} ${endpointId}`;
    const inFlight = reading.get(key);
    if (inFlight !== undefined) return inFlight;
    const work = readTarget(context, ledgerId, endpointId)
      .then((target) => {
        targets.delete(key);
        if (target !== undefined) targets.set(key, target);
        if (targets.size > TARGETS_MAX) targets.delete(targets.keys().next().value as string);
        return target;
      })
      .finally(() => reading.delete(key));
    reading.set(key, work);
    return work;
  };

  const isCurrent = (target: Target | undefined, known: Known) =>
    target !== undefined && target.revision >= known.revision && target.clockOffsetMs === known.clockOffsetMs;

  return async (ledgerId: number, endpointId: string, known: Known): Promise<Target | undefined> => {
    const kept = targets.get(`${ledgerId} ${endpointId}`);
    if (isCurrent(kept, known)) return kept;
    const target = await read(ledgerId, endpointId);
    // A read that started before the change may have missed it.
    return target === undefined || isCurrent(target, known) ? target : read(ledgerId, endpointId);
  };
}
