import { Closed, PageQuery, Timestamp } from '../../../http/schemas/schemas.ts';
import { formatUsd } from '../../../lib/money.ts';
import { type Static, Type } from '../../../lib/type.ts';
import type { EntryRow } from './queries.ts';

const Usd = (description: string) => Type.String({ description: `${description}, decimal with two to six places` });

export const Balance = Type.Object({
  object: Type.Literal('balance'),
  amount_usd: Usd('What is left; below zero where charges went beyond it'),
  currency: Type.Literal('usd'),
});
export type Balance = Static<typeof Balance>;

export const BalanceEntry = Type.Object({
  id: Type.String(),
  object: Type.Literal('balance_entry'),
  kind: Type.String({ description: 'credit, or the kind of usage that was charged' }),
  amount_usd: Usd('Credits are above zero and charges below'),
  balance_after_usd: Usd('The balance with this entry'),
  reference: Type.String({ description: 'Identifies the payment or charge; unique among the entries' }),
  description: Type.String(),
  created_at: Timestamp,
});
export type BalanceEntry = Static<typeof BalanceEntry>;

export const BalanceEntryList = Closed(PageQuery);
export const NoQuery = Closed({});

export function toBalance(amountMicros: bigint): Balance {
  return { object: 'balance', amount_usd: formatUsd(amountMicros), currency: 'usd' };
}

export function toEntry({
  amount,
  balance_after,
  id,
  kind,
  reference,
  description,
  created_at,
}: EntryRow): BalanceEntry {
  return {
    id,
    object: 'balance_entry',
    kind,
    amount_usd: formatUsd(BigInt(amount)),
    balance_after_usd: formatUsd(BigInt(balance_after)),
    reference,
    description,
    created_at,
  };
}
