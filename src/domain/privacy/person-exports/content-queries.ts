/** Reads a tenant's data about a person, a page at a time. */
import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { ExportedPerson } from './queries.ts';

/** Rows of a page. */
const ROWS = 500;

const page = (name: string, columns: string, rest: string) =>
  statement(
    `person_export_${name}`,
    `select id, row_to_json(r) as row from (select ${columns} from ${rest} and x.id > $4::text order by x.id limit ${ROWS}) r`,
  );

const CALLED = `x.ledger_id = $1
  and (x.tenant_id || '/' || (case x.direction when 'inbound' then x."from" else x."to" end)) = $2::text || '/' || $3::text`;

const OF_CALL = 'join calls x on x.ledger_id = t.ledger_id and x.id = t.call_id';

/** JSON files of the archive, by the statement of their rows. */
export const CONTENT = {
  contacts: page(
    'contacts',
    'x.id, x.name, x.company, x.email, x.external_ref, x.metadata, x.created_at, x.updated_at',
    `contact_numbers n join contacts x on x.ledger_id = n.ledger_id and x.id = n.contact_id
     where n.ledger_id = $1 and n.tenant_id = $2 and n.phone_number = $3`,
  ),
  conversations: page(
    'conversations',
    'x.id, x.phone_number_id, x.last_activity_at, x.opted_out, x.state, x.assignee, x.snoozed_until, x.tags, x.contact_id',
    'conversations x where x.ledger_id = $1 and x.tenant_id = $2 and x.external_number = $3',
  ),
  notes: page(
    'notes',
    'x.id, x.conversation_id, x.body, x.author, x.created_at',
    `conversations c join conversation_notes x on x.ledger_id = c.ledger_id and x.conversation_id = c.id
     where c.ledger_id = $1 and c.tenant_id = $2 and c.external_number = $3`,
  ),
  messages: page(
    'messages',
    `x.id, x.direction, x."from", x."to", case when x.redacted_at is null then x.body else '' end as body,
       x.media, x.status, x.metadata, x.created_at`,
    `messages x join conversations c on c.ledger_id = x.ledger_id and c.id = x.conversation_id
     where c.ledger_id = $1 and c.tenant_id = $2 and c.external_number = $3`,
  ),
  calls: page(
    'calls',
    `x.id, x.direction, x."from", x."to", x.status, x.outcome, x.caller_name, x.summary, x.duration_seconds,
       x.started_at, x.ended_at, (
         select json_agg(json_build_object('speaker', s.speaker, 'text', s.text, 'at', s.occurred_at) order by s.occurred_at)
         from transcript_segments s where s.ledger_id = x.ledger_id and s.call_id = x.id) as transcript`,
    `calls x where ${CALLED}`,
  ),
  voicemails: page(
    'voicemails',
    'x.id, x.call_id, x.recording_id, x.duration_ms, x.transcript, x.created_at',
    `voicemails x join calls k on k.ledger_id = x.ledger_id and k.id = x.call_id where ${CALLED.replaceAll('x.', 'k.')}`,
  ),
  opt_in_submissions: page(
    'opt_in_submissions',
    'x.id, x.form_id, x.consent_text, x.ip_address, x.user_agent, x.created_at, x.times_submitted, x.last_submitted_at',
    `opt_in_forms f join opt_in_submissions x on x.ledger_id = f.ledger_id and x.form_id = f.id and x.phone_number = $3
     where f.ledger_id = $1 and f.tenant_id = $2`,
  ),
  opt_outs: page(
    'opt_outs',
    'x.id, x.source, x.channels, x.opted_out_at',
    `(select external_number as id, source, channels, opted_out_at from opt_outs
      where ledger_id = $1 and tenant_id = $2 and external_number = $3) x where true`,
  ),
} as const;

const AUDIO = statement(
  'person_export_audio',
  `select t.id, t.blob_key from recordings t ${OF_CALL} where ${CALLED} and t.id > $4::text order by t.id limit ${ROWS}`,
);

const MEDIA = statement(
  'person_export_media',
  `select x.id, t.position, t.blob_key, t.content_type from message_media t
   join messages x on x.ledger_id = t.ledger_id and x.id = t.message_id
   join conversations c on c.ledger_id = x.ledger_id and c.id = x.conversation_id
   where c.ledger_id = $1 and c.tenant_id = $2 and c.external_number = $3 and t.blob_key is not null
     and (x.id, t.position) > ($4::text, $5::int)
   order by x.id, t.position limit ${ROWS}`,
);

type MediaPlace = { readonly id: string; readonly position: number };

/** A file of the store, and its name in the archive. */
export type StoredFile = { readonly key: string; readonly name: string };

/** Yields the audio of the person's calls and the files of the texts. */
export async function* readFiles(db: Db, { ledgerId, tenantId, number }: ExportedPerson): AsyncGenerator<StoredFile> {
  for (let after = ''; ; ) {
    const rows = await db.query<{ id: string; blob_key: string }>(AUDIO, [ledgerId, tenantId, number, after]);
    for (const { id, blob_key } of rows) yield { key: blob_key, name: `audio/${id}.wav` };
    if (rows.length < ROWS) break;
    after = rows.at(-1)?.id ?? '';
  }
  for (let after: MediaPlace = { id: '', position: 0 }; ; ) {
    const values = [ledgerId, tenantId, number, after.id, after.position];
    const rows = await db.query<MediaPlace & { blob_key: string }>(MEDIA, values);
    for (const { id, position, blob_key } of rows) yield { key: blob_key, name: `media/${id}-${position}` };
    if (rows.length < ROWS) return;
    after = rows.at(-1) as MediaPlace;
  }
}

export type ContentName = keyof typeof CONTENT;

type ContentRow = { readonly id: string; readonly row: unknown };

/** Yields all rows of a file of the archive. */
export async function* readContent(db: Db, name: ContentName, person: ExportedPerson): AsyncGenerator<unknown> {
  const { ledgerId, tenantId, number } = person;
  for (let after = ''; ; ) {
    const rows = await db.query<ContentRow>(CONTENT[name], [ledgerId, tenantId, number, after]);
    for (const { row } of rows) yield row;
    if (rows.length < ROWS) return;
    after = (rows.at(-1) as ContentRow).id;
  }
}
