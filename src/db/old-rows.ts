/** SQL that deletes rows because of their age alone. */

type OldRows = {
  readonly table: string;
  /**
   * The retention of a row counts from the ledger time in this column. An index begins with the ledger and this column.
   */
  readonly column: string;
  /** The retention as an interval, such as `30 days`. */
  readonly kept: string;
};

/** Deletes at most `$1` rows that are too old by the clock of their ledger, and returns a row for each. */
export function deleteOldSql({ table, column, kept }: OldRows): string {
  return `delete from ${table} where ctid = any(array(
     select old.place from ledgers l cross join lateral (
       select ctid as place from ${table}
       where ledger_id = l.id and ${column} < statement_timestamp() + l.clock_offset - interval '${kept}'
       order by ${column} limit $1) old
     limit $1))
   returning 1 as gone`;
}
