/**
 * Stops the work of an account: ends claims, and delays waiting jobs and lanes by a thousand years. So claims need no
 * condition for moves. The new database subtracts the years again.
 */
import type { Client } from 'pg';
import { sleep } from '../../lib/time/time.ts';

const YEARS = `interval '1000 years'`;
const FAR = `clock_timestamp() + interval '500 years'`;

/** Workers renew the leases of claims that they carry out. Claims that last longer than this are ended. */
const CLAIMS_END_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 20;

const PUT_OFF = `
  with jobs_off as (
    update jobs set due_at = due_at + ${YEARS}, run_at = run_at + ${YEARS}, lease_token = null
    where ledger_id = any($1::integer[]) and due_at < ${FAR} and (lease_token is null or run_at <= clock_timestamp() or $2)
    returning 1),
  lanes_off as (
    update lanes set run_at = case when paused then 'infinity' else run_at + ${YEARS} end, lease_token = null
    where ledger_id = any($1::integer[]) and run_at < ${FAR}
      and (lease_token is null or run_at <= clock_timestamp() or $2)
    returning 1)
  select (select count(*) from jobs_off) + (select count(*) from lanes_off) as done`;

const CLAIMED = `
  select (select count(*)::integer from jobs where ledger_id = any($1::integer[]) and lease_token is not null)
    + (select count(*)::integer from lanes where ledger_id = any($1::integer[]) and lease_token is not null) as claims`;

/**
 * Delays all work without a claim, until no claim is left. Ends claims that last longer than 30 s.
 * @param onLook called while a claim is left; an error that it throws ends the wait
 */
export async function putOffWork(
  client: Client,
  ledgerIds: readonly number[],
  onLook: () => Promise<void>,
): Promise<void> {
  for (let waitedMs = 0; waitedMs < CLAIMS_END_WITHIN_MS; waitedMs += LOOK_EVERY_MS) {
    await client.query(PUT_OFF, [ledgerIds, false]);
    const { rows } = await client.query<{ claims: number }>(CLAIMED, [ledgerIds]);
    if (rows[0]?.claims === 0) return;
    await onLook();
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * Delays the rest once the fence keeps writes out. A worker that still has a claim cannot write its effects, because
 * its token is gone.
 */
export async function endClaimsOnWork(client: Client, ledgerIds: readonly number[]): Promise<void> {
  await client.query(PUT_OFF, [ledgerIds, true]);
}

const PUT_BACK = [
  `update jobs set due_at = due_at - ${YEARS}, run_at = run_at - ${YEARS}
   where ledger_id = any($1::integer[]) and due_at >= ${FAR} and due_at < 'infinity'`,
  // A scan of lanes begins where an earlier one ended, so no lane may come back with a due time in the past.
  `update lanes set run_at = greatest(run_at - ${YEARS}, clock_timestamp())
   where ledger_id = any($1::integer[]) and run_at >= ${FAR} and run_at < 'infinity'`,
];

/** Restores the due times of the work. */
export async function putBackWork(client: Client, ledgerIds: readonly number[]): Promise<void> {
  for (const text of PUT_BACK) await client.query(text, [ledgerIds]);
}

type Groups = { readonly ledgerId: number; readonly kind: string; readonly groupIds: readonly string[] };

/** Deletes the lanes of these groups. */
export async function dropLanes(client: Client, { ledgerId, kind, groupIds }: Groups): Promise<void> {
  await client.query('delete from lanes where ledger_id = $1 and kind = $2 and group_id = any($3::text[])', [
    ledgerId,
    kind,
    groupIds,
  ]);
}
