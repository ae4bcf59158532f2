import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { WebClientLeg } from '../../ports/web-client.ts';

const LIST = statement(
  'simulated_legs_of_web_client',
  `select l.call_ref as "callId", l.leg_ref as "legId", l.dialled as "wasRung",
     case l.state when 'dialing' then 'ringing' else l.state end as state, l.end_reason as "endReason",
     (select o.state from simulated_legs o
      where o.ledger_id = l.ledger_id and o.call_ref = l.call_ref and o.party <> l.party and o.state <> 'ended'
        and (o.dialled or o.state = 'up')
      order by array_position(array['up', 'ringing', 'dialing'], o.state) limit 1) as other
   from simulated_legs l
   where l.ledger_id = $1 and l.address = $2 and l.leg_ref in (
     select leg_ref from simulated_legs
     where ledger_id = $1 and address = $2 and address like 'wcl\\_%' and state <> 'ended'
     union select unnest($3::text[]))
   order by l.leg_ref`,
);

/** The web client's legs that have not ended, and those that are named. */
export async function listWebClientLegs(
  db: Db,
  ledgerId: number,
  { address, known }: { address: string; known: readonly string[] },
): Promise<WebClientLeg[]> {
  return db.query<WebClientLeg>(LIST, [ledgerId, address, known]);
}

const UP = statement(
  'simulated_legs_up',
  `select leg_ref as "legId" from simulated_legs where ledger_id = $1 and leg_ref = any($2::text[]) and state = 'up'`,
);

/** Those of the legs that are up. */
export async function listLegsUp(db: Db, ledgerId: number, legRefs: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ legId: string }>(UP, [ledgerId, legRefs]);
  return new Set(rows.map(({ legId }) => legId));
}

const OTHER = statement(
  'simulated_legs_other_of_web_client',
  `select 1 as other from simulated_legs
   where ledger_id = $1 and address = $2 and address like 'wcl\\_%' and leg_ref is distinct from $3
     and state <> 'ended'
   limit 1`,
);

/** True if the web client is on a call, or rung by one, other than by the leg that is named. */
export async function hasOtherLeg(
  db: Db,
  ledgerId: number,
  { address, legRef }: { address: string; legRef: string | null },
): Promise<boolean> {
  return (await db.query(OTHER, [ledgerId, address, legRef])).length > 0;
}
