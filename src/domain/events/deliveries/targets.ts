import type { Context } from '../../../context.ts';
import { findTarget, type TargetRow } from '../webhook-endpoints/queries.ts';
import { secretContext } from '../webhook-endpoints/rules.ts';
import { createSigner, type Signer } from './signature.ts';

/** Where deliveries of an endpoint go and what they are signed with. */
export type Target = {
  readonly url: string;
  readonly eventVersion: string;
  readonly revision: number;
  /** How far the ledger's clock ran ahead of the wall when this was read. */
  readonly clockOffsetMs: number;
  /** Signers by the secrets that are live at a moment of the wall clock, newest first. */
  signersAt(wallMs: number): readonly Signer[];
};

type Opened = { signer: Signer; expiresAtMs: number | null };

/** Reads the target anew; undefined if the endpoint is gone. */
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
  const everlasting = opened.every(({ expiresAtMs }) => expiresAtMs === null)
    ? opened.map(({ signer }) => signer)
    : null;
  return {
    url,
    eventVersion: event_version,
    revision,
    clockOffsetMs,
    signersAt: (wallMs) =>
      everlasting ??
      opened
        .filter(({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > wallMs + clockOffsetMs)
        .map(({ signer }) => signer),
  };
}

const TARGETS_MAX = 10_000;

/** What a sender has just read about an endpoint from the database. */
export type Known = { readonly revision: number; readonly clockOffsetMs: number };

/**
 * Targets in memory. One is used only while its revision is the one that the database has just told, and while the
 * ledger's clock has not been moved, so that nothing is ever sent by old settings.
 */
export function createTargets(context: Pick<Context, 'db' | 'cipher'>) {
  const targets = new Map<string, Target>();
  const reading = new Map<string, Promise<Target | undefined>>();

  const read = (ledgerId: number, endpointId: string): Promise<Target | undefined> => {
    const key = `${ledgerId} ${endpointId}`;
    const underWay = reading.get(key);
    if (underWay !== undefined) return underWay;
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
    // A read that was under way before the change may have missed it.
    return target === undefined || isCurrent(target, known) ? target : read(ledgerId, endpointId);
  };
}
