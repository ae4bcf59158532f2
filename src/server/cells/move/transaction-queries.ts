/**
 * Events are ordered by the transactions that wrote them, and cursors name these transactions. Each database server has
 * its own count of transactions. An account that moves to another server brings numbers that may be larger than that
 * server's count. So the count is advanced beyond them. Order and cursors then stay valid.
 */
import type { Client } from 'pg';

/** The limit of the advance. A server starts to freeze old rows after 200 million transactions. */
const SKIPPED_MAX = 150_000_000;
const SKIPPED_AT_ONCE = 100_000;

const NEWEST = `
  select coalesce(max(id), 0)::text as newest from unnest($1::integer[]) as l (ledger_id) cross join lateral (
    (select written_by::text::numeric as id from events e where e.ledger_id = l.ledger_id order by written_by desc limit 1)
    union all
    select max(written_before::text::numeric) from webhook_replays r where r.ledger_id = l.ledger_id) newest`;

const CURRENT = 'select pg_current_xact_id()::text as current';

const skipText = (count: number) =>
  `do $$ begin for skipped in 1..${count} loop perform pg_current_xact_id(); commit; end loop; end $$`;

/**
 * Advances the target's count of transactions beyond every number in the ledgers' events.
 * @returns why this is not possible; undefined after success
 */
export async function passTransactions(
  source: Client,
  target: Client,
  { ledgerIds, onProgress }: { readonly ledgerIds: readonly number[]; readonly onProgress: (text: string) => void },
): Promise<string | undefined> {
  const { rows } = await source.query<{ newest: string }>(NEWEST, [ledgerIds]);
  const newest = BigInt(rows[0]?.newest ?? '0');
  const current = BigInt((await target.query<{ current: string }>(CURRENT)).rows[0]?.current ?? '0');
  let left = Number(newest - current);
  if (left < 0) return undefined;
  if (left > SKIPPED_MAX) {
    return `its events are numbered ${left.toLocaleString('en')} transactions ahead of the server of that database, and a move skips at most ${SKIPPED_MAX.toLocaleString('en')}`;
  }
  await target.query('set synchronous_commit = off');
  for (; left >= 0; left -= SKIPPED_AT_ONCE) {
    onProgress(`Skipping ${(left + 1).toLocaleString('en')} transaction numbers`);
    await target.query(skipText(Math.min(left + 1, SKIPPED_AT_ONCE)));
  }
  await target.query('reset synchronous_commit');
  return undefined;
}
