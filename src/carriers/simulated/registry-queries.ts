import type { Db, Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { EntityType, NumberAssignment } from '../ports/registry.ts';

export type RegistrationStatus = 'pending' | 'approved' | 'rejected' | 'suspended' | 'ended';

/** A stored brand or campaign. A campaign has the entity type of its brand. */
export type RegistrationRow = { entity_type: EntityType; status: RegistrationStatus; reason: string | null };

// The update changes nothing. Without it the statement would not return the first registration.
const REGISTER = statement(
  'simulated_registrations_insert',
  `insert into simulated_registrations (ledger_id, ref, entity_type, status) values ($1, $2, $3, $4)
   on conflict (ledger_id, ref) do update set status = simulated_registrations.status
   returning entity_type, status, reason`,
);

/** Inserts a registration, unless its ref is stored already. Returns the stored registration. */
export async function insertRegistration(
  db: Db,
  { ledgerId }: Ledger,
  { ref, entityType, status }: { ref: string; entityType: EntityType; status: RegistrationStatus },
): Promise<RegistrationRow> {
  const [row] = await db.query<RegistrationRow>(REGISTER, [ledgerId, ref, entityType, status]);
  return row as RegistrationRow;
}

const FIND = statement(
  'simulated_registrations_find',
  'select entity_type, status, reason from simulated_registrations where ledger_id = $1 and ref = $2',
);

export async function findRegistration(
  db: Db,
  { ledgerId }: Ledger,
  ref: string,
): Promise<RegistrationRow | undefined> {
  const [row] = await db.query<RegistrationRow>(FIND, [ledgerId, ref]);
  return row;
}

const DECIDE = statement(
  'simulated_registrations_decide',
  `update simulated_registrations set status = $3, reason = $4 where ledger_id = $1 and ref = $2 and status <> 'ended'`,
);

/** Stores a decision, unless the registration has ended. */
export async function decideRegistration(
  db: Db,
  { ledgerId }: Ledger,
  { ref, status, reason }: { ref: string; status: RegistrationStatus; reason: string | null },
): Promise<void> {
  await db.query(DECIDE, [ledgerId, ref, status, reason]);
}

// A campaign that is not stored or has ended accepts no number. In that case nothing is inserted and no row is
// returned.
const ASSIGN = statement(
  'simulated_assignments_put',
  `insert into simulated_assignments (ledger_id, phone_number, campaign_ref)
   select ledger_id, $2, ref from simulated_registrations where ledger_id = $1 and ref = $3 and status <> 'ended'
   on conflict (ledger_id, phone_number) do update set campaign_ref = excluded.campaign_ref
   returning 1 as assigned`,
);

/** Assigns a number to a campaign. Resolves with false if the campaign does not exist or has ended. */
export async function putAssignment(
  db: Db,
  { ledgerId }: Ledger,
  { phoneNumber, campaignCarrierRef }: NumberAssignment,
): Promise<boolean> {
  return (await db.query(ASSIGN, [ledgerId, phoneNumber, campaignCarrierRef])).length > 0;
}

const UNASSIGN = statement(
  'simulated_assignments_delete',
  'delete from simulated_assignments where ledger_id = $1 and phone_number = $2',
);

export async function deleteAssignment(db: Db, { ledgerId }: Ledger, phoneNumber: string): Promise<void> {
  await db.query(UNASSIGN, [ledgerId, phoneNumber]);
}

export const REVIEW_MODES = ['auto', 'manual'] as const;
/** `auto`: every review is approved immediately. `manual`: a review waits for the decision of a test. */
export type ReviewMode = (typeof REVIEW_MODES)[number];

const GET_MODE = statement('simulated_settings_reviews', 'select reviews from simulated_settings where ledger_id = $1');

/** Returns the review mode of a ledger, which is `auto` by default. */
export async function readReviewMode(db: Db, { ledgerId }: Pick<Ledger, 'ledgerId'>): Promise<ReviewMode> {
  const [row] = await db.query<{ reviews: ReviewMode }>(GET_MODE, [ledgerId]);
  return row?.reviews ?? 'auto';
}

const SET_MODE = statement(
  'simulated_settings_set_reviews',
  `insert into simulated_settings (ledger_id, reviews) values ($1, $2)
   on conflict (ledger_id) do update set reviews = excluded.reviews`,
);

export async function setReviewMode(tx: Tx, { ledgerId }: Pick<Ledger, 'ledgerId'>, mode: ReviewMode): Promise<void> {
  await tx.query(SET_MODE, [ledgerId, mode]);
}
