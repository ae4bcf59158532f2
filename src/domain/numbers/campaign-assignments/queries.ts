import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { NumberStatus } from '../phone-numbers/rules.ts';

const FIND = statement(
  'phone_numbers_find_assignment',
  `select p.phone_number, p.status, p.campaign_id, p.messaging_connection_id, c.carrier_ref as campaign_carrier_ref
   from phone_numbers p left join campaigns c on c.ledger_id = p.ledger_id and c.id = p.campaign_id
   where p.ledger_id = $1 and p.id = $2`,
);

/** A number and its campaign. `campaign_carrier_ref` is null while the registry does not have the campaign. */
export type AssignmentRow = {
  phone_number: string;
  status: NumberStatus;
  campaign_id: string | null;
  /** The connection of the number's texts. That carrier must have the number's campaign. */
  messaging_connection_id: ConnectionId;
  campaign_carrier_ref: string | null;
};

export async function findAssignment(
  db: Db,
  { ledgerId }: Ledger,
  numberId: string,
): Promise<AssignmentRow | undefined> {
  const [row] = await db.query<AssignmentRow>(FIND, [ledgerId, numberId]);
  return row;
}

const LIST = statement(
  'phone_numbers_of_campaign',
  'select id from phone_numbers where ledger_id = $1 and campaign_id = $2 order by id',
);

export async function listNumbersOfCampaign(db: Db, { ledgerId }: Ledger, campaignId: string): Promise<string[]> {
  return (await db.query<{ id: string }>(LIST, [ledgerId, campaignId])).map((row) => row.id);
}
