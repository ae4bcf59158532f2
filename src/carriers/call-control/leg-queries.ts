/** The code that carriers' leg tables share. A carrier's own module has its other columns and their changes. */
import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

export type LegName = { readonly ledgerId: number; readonly connectionId: string; readonly legRef: string };
export type OfConnection = Omit<LegName, 'legRef'>;

/** The condition for one leg, whose name is $1 to $3. */
export const ONE_LEG = 'ledger_id = $1 and connection_id = $2 and leg_ref = $3';

/** A call has one caller and at most a few dozen dialled legs. */
const LEGS_MAX = 200;

export type LegTable<Leg> = {
  /** Returns legs by our names, in no order. Legs that were never dialled are missing. */
  listLegs(db: Db, ofConnection: OfConnection, legRefs: readonly string[]): Promise<Leg[]>;
  /** Returns the legs of a call, oldest first. */
  listLegsOfCall(db: Db, ofConnection: OfConnection, callRef: string): Promise<Leg[]>;
  /**
   * Records that a leg is hung up. If the leg was never dialled, stores it as ended, so that it cannot be dialled
   * later.
   */
  markHungUp(db: Db, name: LegName, callRef: string): Promise<Leg>;
};

type Columns = {
  /** The columns of a leg that a statement returns. */
  readonly fields: string;
  /** Columns and values of a leg that ended before its dial. */
  readonly ended: { readonly columns: string; readonly values: string };
};

/** @param table must have the columns of `LegName`, `call_ref`, `created_at` and `hung_up_at` */
export function defineLegTable<Leg>(table: string, { fields, ended }: Columns): LegTable<Leg> {
  const list = statement(
    `${table}_list`,
    `select ${fields} from ${table} where ledger_id = $1 and connection_id = $2 and leg_ref = any($3)`,
  );
  const listOfCall = statement(
    `${table}_list_of_call`,
    `select ${fields} from ${table} where ledger_id = $1 and connection_id = $2 and call_ref = $3
     order by created_at limit ${LEGS_MAX}`,
  );
  const hangUp = statement(
    `${table}_hang_up`,
    `insert into ${table} as l (ledger_id, connection_id, leg_ref, call_ref, hung_up_at, ${ended.columns})
     values ($1, $2, $3, $4, clock_timestamp(), ${ended.values})
     on conflict (ledger_id, connection_id, leg_ref)
       do update set hung_up_at = coalesce(l.hung_up_at, clock_timestamp())
     returning ${fields}`,
  );
  return {
    listLegs: (db, { ledgerId, connectionId }, legRefs) => db.query<Leg>(list, [ledgerId, connectionId, legRefs]),
    listLegsOfCall: (db, { ledgerId, connectionId }, callRef) =>
      db.query<Leg>(listOfCall, [ledgerId, connectionId, callRef]),
    markHungUp: async (db, { ledgerId, connectionId, legRef }, callRef) => {
      const [row] = await db.query<Leg>(hangUp, [ledgerId, connectionId, legRef, callRef]);
      return row as Leg;
    },
  };
}
