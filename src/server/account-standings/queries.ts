import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Account } from '../../domain/accounts/index.ts';
import { IS_FAILING } from '../../domain/events/index.ts';
import { IS_ASKED_FOR, isUnsettled } from '../notices/queries.ts';

/** The largest number that is counted. An operator does not need a larger number exactly. */
export const COUNTED_MAX = 1_000;

/** The standing of an account in live mode: its balance, and its failures in the last 24 hours. */
export type StandingRow = {
  readonly account_id: string;
  readonly name: string;
  readonly status: Account['status'];
  /** Micro-dollars. */
  readonly balance: string;
  readonly failed_texts: number;
  readonly failed_calls: number;
  readonly failing_endpoints: number;
  readonly emergency_calls: number;
  readonly port_outs: number;
};

const counted = (found: string) => `(
  select count(*)::integer from (${found} and now() - interval '24 hours' < f.at limit ${COUNTED_MAX}) as counted)`;

const FAILED_TEXTS = counted(`
  select 1 from (select ledger_id, status, created_at as at from messages) as f
  where f.ledger_id = l.id and f.status = 'failed'`);
// Has a condition for each column that the index has before the time. So the index finds the rows.
const FAILED_CALLS = counted(`
  select 1 from (select ledger_id, direction, status, coalesce(outcome, '') as outcome, started_at as at from calls) as f
  where f.ledger_id = l.id and f.direction in ('inbound', 'outbound') and f.status = 'failed' and f.outcome = 'failed'`);

const EMERGENCY_CALLS = counted(`
  select 1 from (select ledger_id, resource_id, type, created_at as at from events) as f
  where f.ledger_id = l.id and f.type = 'emergency_call.placed'
    and ${isUnsettled('emergency_call')}`);

// Every id is less than 'b'. So without a position the range is the whole table.
const LIST = statement(
  'account_standings_list',
  `select a.id as account_id, a.name, a.status,
     coalesce((select b.amount_micros from balances b where b.ledger_id = l.id), 0)::text as balance,
     ${FAILED_TEXTS} as failed_texts, ${FAILED_CALLS} as failed_calls,
     (select count(*)::integer from webhook_endpoints e
      where e.ledger_id = l.id and ${IS_FAILING}
        and ${isUnsettled('failing_endpoint')}) as failing_endpoints,
     ${EMERGENCY_CALLS} as emergency_calls,
     (select count(*)::integer from number_port_outs o join phone_numbers n on n.ledger_id = o.ledger_id and n.id = o.number_id
      where o.ledger_id = l.id and ${IS_ASKED_FOR}
        and ${isUnsettled('port_out')}) as port_outs
   from (select * from accounts where id < coalesce($1::text, 'b') order by id desc limit $2) as a
   join ledgers l on l.account_id = a.id and l.mode = 'live'
   order by a.id desc`,
);

/** Lists the standings of accounts, newest account first. */
export function listStandings(
  db: Db,
  { before, rows }: { readonly before: string | null; readonly rows: number },
): Promise<StandingRow[]> {
  return db.query(LIST, [before, rows]);
}
