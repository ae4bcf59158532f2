import type { Db } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';

type RegistrationName = { readonly ledgerId: number; readonly connectionId: string; readonly ref: string };

type Registration = {
  /** The key of a search: the name of a brand, or Telnyx's id of a campaign's brand. */
  readonly foundUnder: string;
  /** Telnyx's id; null while it is unknown. */
  readonly carrierRef: string | null;
};

const OPEN = statement(
  'telnyx_registrations_open',
  `insert into telnyx_registrations as r (ledger_id, connection_id, ref, found_under) values ($1, $2, $3, $4)
   on conflict (ledger_id, connection_id, ref) do update set found_under = excluded.found_under
   where r.found_under <> excluded.found_under and r.carrier_ref is null`,
);

/** Stores a brand or campaign before its registration. */
export async function openRegistration(
  db: Db,
  { ledgerId, connectionId, ref }: RegistrationName,
  foundUnder: string,
): Promise<void> {
  await db.query(OPEN, [ledgerId, connectionId, ref, foundUnder]);
}

const FIND = statement(
  'telnyx_registrations_find',
  `select found_under as "foundUnder", carrier_ref as "carrierRef" from telnyx_registrations
   where ledger_id = $1 and connection_id = $2 and ref = $3`,
);

export async function findRegistration(
  db: Db,
  { ledgerId, connectionId, ref }: RegistrationName,
): Promise<Registration | undefined> {
  const [row] = await db.query<Registration>(FIND, [ledgerId, connectionId, ref]);
  return row;
}

const KEEP = statement(
  'telnyx_registrations_keep',
  `update telnyx_registrations set carrier_ref = $4
   where ledger_id = $1 and connection_id = $2 and ref = $3 and carrier_ref is distinct from $4`,
);

/** Stores Telnyx's id of a brand or campaign. */
export async function keepRegistration(
  db: Db,
  { ledgerId, connectionId, ref }: RegistrationName,
  carrierRef: string,
): Promise<void> {
  await db.query(KEEP, [ledgerId, connectionId, ref, carrierRef]);
}

const OWNER = statement(
  'telnyx_registrations_owner',
  `select ledger_id as "ledgerId", ref from telnyx_registrations where connection_id = $1 and carrier_ref = $2`,
);

/** Returns the brand or campaign that has this id at Telnyx, and its ledger. */
export async function findRegistrationOwner(
  db: Db,
  { connectionId, carrierRef }: { connectionId: string; carrierRef: string },
): Promise<{ readonly ledger: Ledger; readonly ref: string } | undefined> {
  const [row] = await db.query<{ ledgerId: number; ref: string }>(OWNER, [connectionId, carrierRef]);
  const ledger = row && (await findLedger(db, row.ledgerId));
  return ledger && { ledger, ref: row.ref };
}
