/** The cache of spoken texts in the database, which all processes share. */
import type { Database } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import type { SpokenTextStore } from './live-voice.ts';

/** Texts in the cache. */
const TEXTS_MAX = 1_000;
/** About a minute. Longer speech is not kept, so that the cache has at most 500 MB and usually a tenth of it. */
const AUDIO_BYTES_MAX = 500_000;

// The time of use is written at most once a day, so that a read is rarely a write.
const FIND = statement(
  'spoken_texts_find',
  `with used as (
     update spoken_texts set used_at = clock_timestamp()
     where key = $1 and used_at < clock_timestamp() - interval '1 day'
   )
   select audio from spoken_texts where key = $1`,
);

const KEEP = statement(
  'spoken_texts_keep',
  `with dropped as (
     delete from spoken_texts
     where used_at <= (select used_at from spoken_texts order by used_at desc offset ${TEXTS_MAX - 1} limit 1)
   )
   insert into spoken_texts (key, audio) values ($1, $2) on conflict (key) do nothing`,
);

/** Returns the cache. */
export function createSpokenTextStore(db: Database): SpokenTextStore {
  return {
    find: async (key) => {
      const [row] = await db.query<{ audio: Buffer }>(FIND, [key]);
      return row?.audio;
    },
    keep: async (key, audio) => {
      if (audio.length <= AUDIO_BYTES_MAX) await db.query(KEEP, [key, Buffer.from(audio)]);
    },
  };
}
