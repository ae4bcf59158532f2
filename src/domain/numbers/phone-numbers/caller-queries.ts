import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { BALANCE_SQL } from '../../billing/index.ts';
import type { DestinationRules } from '../destinations/destinations.ts';
import { PREFIX_COLUMNS, type Prefixes } from '../destinations/queries.ts';
import { type CallableNumber, NUMBER_COLUMNS } from './queries.ts';

// If the statement has waited for the deletion of the tenant, it finds no number.
const callerStatement = (name: string, condition: string) =>
  statement(
    `phone_numbers_caller_by_${name}`,
    `select p.voice_connection_id, p.e911_connection_id, ${NUMBER_COLUMNS}, ${PREFIX_COLUMNS},
       ${BALANCE_SQL} as balance, ledger_now($1) as now,
       coalesce((select 'call' = any(o.channels) from opt_outs o
         where o.ledger_id = $1 and o.tenant_id = p.tenant_id and o.external_number = $3), false) as "isOptedOut"
     from phone_numbers p
     join tenants t on t.ledger_id = p.ledger_id and t.id = p.tenant_id and t.deleted_at is null
     where p.ledger_id = $1 and ${condition}
     for key share of t`,
  );

const BY_ID = callerStatement('id', 'p.id = $2');
const BY_NUMBER = callerStatement('number', `p.phone_number = $2 and p.status <> 'released'`);

/** The number that makes a call, and the other facts for the checks of the call. One statement reads all of them. */
export type Caller = {
  readonly number: CallableNumber;
  readonly destinations: DestinationRules;
  readonly balanceMicros: bigint;
  /**
   * True if the called person has opted out of automated calls, which are calls where software speaks to the person.
   */
  readonly isOptedOut: boolean;
  /** Ledger time. */
  readonly now: Date;
};

/** The parties of a call: the number that it is made from (by id, or by its digits in E.164), and the called number. */
export type CallParties = { readonly from: string; readonly to: string };

/**
 * Finds a number of any status by its id, or an unreleased number by its digits. Locks its tenant, so that neither is
 * deleted until the transaction ends.
 */
export async function lockCaller(
  tx: Tx,
  { ledgerId, mode }: Ledger,
  { from, to }: CallParties,
): Promise<Caller | undefined> {
  type Row = CallableNumber & Prefixes & { readonly balance: string } & Pick<Caller, 'isOptedOut' | 'now'>;
  const [row] = await tx.query<Row>(from.startsWith('+') ? BY_NUMBER : BY_ID, [ledgerId, from, to]);
  if (row === undefined) return undefined;
  const { highCost, allowed, balance, isOptedOut, now, ...number } = row;
  const destinations = { mode, prefixes: { highCost, allowed } };
  return { number, destinations, balanceMicros: BigInt(balance), isOptedOut, now };
}
