/** The statements for carriers' reports about numbers. */
import type { NumberReport } from '../../../carriers/ports/numbers.ts';
import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { NUMBER_COLUMNS } from './queries.ts';
import type { NumberStatus } from './rules.ts';
import type { PhoneNumber } from './schema.ts';

const LOCK_REPORTED = statement(
  'phone_numbers_lock_reported',
  `select ${NUMBER_COLUMNS} from phone_numbers p
   where ledger_id = $1 and phone_number = $2 and status in ('active', 'suspended')
     and created_at <= $3 and (status_reported_at is null or status_reported_at < $3)
   for update`,
);

/**
 * Locks and returns the number with these digits, unless the report is older than the number or than its last report.
 */
export async function lockReported(
  tx: Tx,
  { ledgerId }: Ledger,
  { phoneNumber, occurredAt }: Pick<NumberReport, 'phoneNumber' | 'occurredAt'>,
): Promise<PhoneNumber | undefined> {
  const [row] = await tx.query<PhoneNumber>(LOCK_REPORTED, [ledgerId, phoneNumber, occurredAt]);
  return row;
}

const MOVE_REPORTED = statement(
  'phone_numbers_move_reported',
  `update phone_numbers p set status = $3, status_reported_at = $4
   where ledger_id = $1 and id = $2 returning ${NUMBER_COLUMNS}`,
);

/** Sets the status of a locked number, and when the carrier's report of it happened. */
export async function moveReported(
  tx: Tx,
  { ledgerId }: Ledger,
  { id, to, occurredAt }: { readonly id: string; readonly to: NumberStatus; readonly occurredAt: Date },
): Promise<PhoneNumber> {
  const [row] = await tx.query<PhoneNumber>(MOVE_REPORTED, [ledgerId, id, to, occurredAt]);
  return row as PhoneNumber;
}

const SET_CAMPAIGN_PENDING = statement(
  'phone_numbers_set_campaign_pending',
  `update phone_numbers p set campaign_pending = $4
   where ledger_id = $1 and id = $2 and campaign_id = $3 and campaign_pending <> $4 returning ${NUMBER_COLUMNS}`,
);

/**
 * Stores whether the carrier has yet to confirm a number for its campaign. Returns the number if that is a change;
 * undefined if not, or if the number has another campaign.
 */
export async function setCampaignPending(
  tx: Tx,
  { ledgerId }: Ledger,
  { id, campaignId, isPending }: { readonly id: string; readonly campaignId: string; readonly isPending: boolean },
): Promise<PhoneNumber | undefined> {
  const [row] = await tx.query<PhoneNumber>(SET_CAMPAIGN_PENDING, [ledgerId, id, campaignId, isPending]);
  return row;
}

const LOCK_HELD = statement(
  'phone_numbers_lock_held',
  `select ${NUMBER_COLUMNS} from phone_numbers p
   where ledger_id = $1 and phone_number = $2 and status <> 'released' for update`,
);

/** Locks and returns the number with these digits. Released numbers are not found. */
export async function lockHeldNumber(
  tx: Tx,
  { ledgerId }: Ledger,
  phoneNumber: string,
): Promise<PhoneNumber | undefined> {
  const [row] = await tx.query<PhoneNumber>(LOCK_HELD, [ledgerId, phoneNumber]);
  return row;
}
