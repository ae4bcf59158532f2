import type { Db } from '../db/database.ts';
import { statement } from '../db/statement.ts';

const FIND_ARCHIVE = statement(
  'archive_find',
  `select current_setting('archive_mode') <> 'off' as is_on,
     extract(epoch from clock_timestamp() - last_archived_time)::float8 / 3600 as age_hours
   from pg_stat_archiver`,
);

/** What the database server says about the archive of its log, from which it could be restored. */
export type Archive = {
  readonly is_on: boolean;
  /** Since a file was last archived; null for never. */
  readonly age_hours: number | null;
};

export async function findArchive(db: Db): Promise<Archive> {
  const [row] = await db.query<Archive>(FIND_ARCHIVE, []);
  return row as Archive;
}
