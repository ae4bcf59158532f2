/**
 * A ledger after years of use, loaded by SQL: tenants, conversations and outcomes of very unequal share. Every id and
 * number is derived from a counter, so that a test knows rows that exist.
 */
import type pg from 'pg';

export type GrowthSize = {
  readonly ledgerId: number;
  readonly tenants: number;
  readonly conversations: number;
  readonly messages: number;
  /** Conversations whose persons have a contact: the first of them; all by default. */
  readonly contacts?: number;
};

const CALLS_PER_MESSAGE = 0.3;
/** One webhook endpoint gets the deliveries of every second event. */
export const GROWTH_ENDPOINT = 'whe_g0';

/** Returns the id of the n-th row of a kind. Ids are ordered by time, like real ones. */
export const growthId = (prefix: string, n: number): string => `${prefix}_g${String(n).padStart(25, '0')}`;
/** The number of the n-th tenant. */
export const growthNumber = (n: number): string => `+1480${2_000_000 + n}`;

const idSql = (prefix: string, n: string) => `'${prefix}_g' || lpad((${n})::text, 25, '0')`;
const numberSql = (area: number, n: string) => `'+1${area}' || (2000000 + ${n})`;

// Returns SQL for the index of the owner of row n. The third power of a fraction gives most rows to the first owners.
// The fractions come from the golden ratio, so they are spread evenly, and are the same in every run.
const shareSql = (n: string, owners: string) => `floor(${owners} * power((${n} * 0.6180339887498949) % 1, 3))::int`;

// The rows begin a year ago (conversations, two years) and end a minute ago.
const whenSql = (n: string, rows: string) =>
  `now() - interval '1 minute' - interval '365 days' * (1 - ${n}::float / ${rows})`;

/**
 * Of the outbound texts, 2 in 100 failed, 1 in 1,000 wait, and all others were delivered. Every fifth text is inbound.
 */
const STATUS = `case when n % 5 = 0 then 'received' when n % 1000 = 1 then 'queued' when n % 1000 = 3 then 'sent'
  when n % 50 = 2 then 'failed' else 'delivered' end`;

const STATEMENTS = [
  `insert into tenants (ledger_id, id, name, external_ref, timezone, created_at)
   select :ledger, ${idSql('tnt', 'n')}, 'Tenant ' || n, 'ref-' || n, 'UTC', ${whenSql('0', '1')}
   from generate_series(0, :tenants - 1) n`,
  `insert into phone_numbers (ledger_id, id, tenant_id, phone_number, status, capabilities, created_at)
   select :ledger, ${idSql('num', 'n')}, ${idSql('tnt', 'n')}, ${numberSql(480, 'n')},
     'active', '{sms,mms,voice}', ${whenSql('0', '1')}
   from generate_series(0, :tenants - 1) n`,
  // The contact of every tenth conversation is the person of the previous conversation, if their numbers differ. Every
  // third conversation has an assignee, and every ninth has a tag.
  `insert into conversations (ledger_id, id, tenant_id, phone_number_id, external_number, last_activity_at,
     last_message_preview, opted_out, state, assignee, tags)
   select :ledger, ${idSql('cnv', 'n')}, ${idSql('tnt', 'owner')}, ${idSql('num', 'owner')},
     ${numberSql(415, '(n - (n % 10 = 9)::int)')}, ${whenSql('n', ':conversations')}, 'Hello', n % 40 = 7,
     case when n % 20 = 0 then 'open' else 'done' end, case when n % 3 = 0 then 'user-' || n % 5 end,
     case when n % 9 = 0 then '{vip}' else '{}' end::text[]
   from (select n, ${shareSql('n', ':tenants')} as owner from generate_series(0, :conversations - 1) n) c
   on conflict do nothing`,
  `insert into opt_outs (ledger_id, tenant_id, external_number, source, opted_out_at)
   select ledger_id, tenant_id, external_number, 'stop_keyword', last_activity_at from conversations
   where ledger_id = :ledger and opted_out on conflict do nothing`,
  `insert into tenant_words (ledger_id, tenant_id, word)
   select ledger_id, id, word from tenants, unnest(array['person', 'mercer']) word where ledger_id = :ledger
   on conflict do nothing`,
  // A contact for each person of a tenant.
  `insert into contacts (ledger_id, id, tenant_id, name, external_ref, metadata, created_at, updated_at)
   select ledger_id, replace(id, 'cnv_', 'con_'), tenant_id, 'Person Mercer', 'ref-' || right(id, 6), '{}',
     last_activity_at, last_activity_at
   from (select distinct on (tenant_id, external_number) * from conversations
         where ledger_id = :ledger and id < ${idSql('cnv', ':contacts')}
         order by tenant_id, external_number, id) c`,
  `insert into contact_numbers (ledger_id, phone_number, tenant_id, contact_id, position)
   select c.ledger_id, c.external_number, c.tenant_id, n.id, 1 from conversations c
   join contacts n on n.ledger_id = c.ledger_id and n.id = replace(c.id, 'cnv_', 'con_') where c.ledger_id = :ledger`,
  `insert into contact_words (ledger_id, tenant_id, contact_id, word)
   select ledger_id, tenant_id, id, word from contacts, unnest(array['person', 'mercer']) word
   where ledger_id = :ledger`,
  `insert into messages (ledger_id, id, tenant_id, conversation_id, direction, origin, "from", "to", body, status,
     segments, status_history, created_at)
   select :ledger, ${idSql('msg', 'n')}, c.tenant_id, c.id, case when n % 5 = 0 then 'inbound' else 'outbound' end,
     case when n % 5 = 0 then 'handset' else 'api' end,
     case when n % 5 = 0 then c.external_number else p.phone_number end,
     case when n % 5 = 0 then p.phone_number else c.external_number end,
     'Your appointment is tomorrow at 9:30. Reply C to confirm.', ${STATUS}, 1, '[]', ${whenSql('n', ':messages')}
   from (select n, ${shareSql('n', ':conversations')} as talk from generate_series(0, :messages - 1) n) m
   join conversations c on c.ledger_id = :ledger and c.id = ${idSql('cnv', 'm.talk')}
   join phone_numbers p on p.ledger_id = :ledger and p.id = c.phone_number_id`,
  // Every 40th text has one note.
  `insert into conversation_notes (ledger_id, id, tenant_id, conversation_id, body, author, created_at)
   select ledger_id, 'nte_' || substr(id, 5), tenant_id, conversation_id, 'Prefers mornings.', 'Ann', created_at
   from messages where ledger_id = :ledger and right(id, 3)::int % 40 = 0`,
  `insert into calls (ledger_id, id, tenant_id, phone_number_id, conversation_id, direction, "from", "to", record, status,
     outcome, duration_seconds, started_at, ended_at, state, commands, log_entries, route_branch, route_reason)
   select :ledger, ${idSql('call', 'n')}, c.tenant_id, c.phone_number_id, case when n % 20 <> 3 then c.id end,
     case when n % 2 = 0 then 'outbound' else 'inbound' end,
     case when n % 2 = 0 then p.phone_number when n % 20 = 3 then 'anonymous' else c.external_number end,
     case when n % 2 = 0 then c.external_number else p.phone_number end, false,
     case when n % 500 = 1 then 'missed' when n % 100 = 0 then 'failed' else 'completed' end,
     case when n % 500 = 1 then 'missed' when n % 100 = 0 then 'busy' when n % 30 = 9 then 'voicemail' else 'answered' end,
     60, ${whenSql('n', ':calls')}, ${whenSql('n', ':calls')}, '{}', 0, 0,
     case when n % 2 = 1 then 'open' end,
     case when n % 2 = 0 then null when n % 500 = 1 then 'no_answer' when n % 30 = 9 then 'closed' else 'answered' end
   from (select n, ${shareSql('n', ':conversations')} as talk from generate_series(0, :calls - 1) n) m
   join conversations c on c.ledger_id = :ledger and c.id = ${idSql('cnv', 'm.talk')}
   join phone_numbers p on p.ledger_id = :ledger and p.id = c.phone_number_id`,
  // Each tenant has a queue with five agents, each of whom had a call an hour ago. The callers of the latest day wait.
  `insert into queues (ledger_id, id, tenant_id, name, strategy, ring_seconds, wrap_up_seconds, max_waiting,
     max_wait_seconds, overflow, created_at)
   select :ledger, ${idSql('que', 'n')}, ${idSql('tnt', 'n')}, 'Support', 'longest_idle', 20, 10, 100, 1800,
     '{"type": "voicemail", "greeting_text": "Please leave a message.", "transcribe": true}', ${whenSql('0', '1')}
   from generate_series(0, :tenants - 1) n`,
  `insert into queue_agents (ledger_id, queue_id, agent, position, since)
   select :ledger, ${idSql('que', 'n / 5')}, ${numberSql(505, 'n')}, n % 5, ${whenSql('0', '1')}
   from generate_series(0, :tenants * 5 - 1) n`,
  `insert into queue_agent_legs (ledger_id, leg_id, call_id, agent, state, ended_at)
   select :ledger, ${idSql('leg', 'n')}, ${idSql('call', '0')}, ${numberSql(505, 'n')}, 'talked',
     now() - interval '1 hour' from generate_series(0, :tenants * 5 - 1) n`,
  `insert into queue_entries (ledger_id, call_id, queue_id, since, admitted, offered)
   select ledger_id, id, replace(tenant_id, 'tnt_', 'que_'), started_at, true, false from calls
   where ledger_id = :ledger and id like 'call\\_g%' and started_at > now() - interval '1 day'`,
  `insert into recordings (ledger_id, id, tenant_id, call_id, duration_ms, consent_announced, blob_key, created_at)
   select ledger_id, 'rec_' || substr(id, 6), tenant_id, id, 3000, true, 'x', started_at from calls
   where ledger_id = :ledger and outcome = 'voicemail' or ledger_id = :ledger and right(id, 1) = '4'`,
  `insert into voicemails (ledger_id, id, tenant_id, call_id, recording_id, "from", duration_ms, created_at,
     conversation_id)
   select c.ledger_id, 'vm_' || substr(c.id, 6), c.tenant_id, c.id, 'rec_' || substr(c.id, 6), c."from", 3000, c.started_at,
     c.conversation_id
   from calls c where c.ledger_id = :ledger and c.outcome = 'voicemail'`,
  // Sends and reads, nearly all without an error; each request has a separate transaction, at a different moment.
  `insert into request_log (ledger_id, id, logged_at, created_at, method, path, route, status, error_code, duration_ms,
     api_key_id, tenant_id, resource_id, idempotent_replayed)
   select :ledger, ${idSql('req', 'n')}, at, at, case when n % 3 = 0 then 'POST' else 'GET' end, '/v1/messages',
     case when n % 3 = 1 then '/v1/messages/{message_id}' else '/v1/messages' end,
     case when n % 999 = 4 then 404 when n % 500 = 3 then 422 when n % 3 = 0 then 202 else 200 end,
     case when n % 999 = 4 then 'message_not_found' when n % 500 = 3 then 'recipient_opted_out' end, 3,
     'key_g', case when n % 7 <> 2 then ${idSql('tnt', 'owner')} end,
     case when n % 3 = 0 and n % 500 <> 3 then ${idSql('msg', 'n')} end, false
   from (select n, ${shareSql('n', ':tenants')} as owner,
       now() - interval '6 days' * (1 - n::float / :messages) as at
     from generate_series(0, :messages - 1) n) r`,
  `insert into webhook_endpoints (ledger_id, id, url, event_version, created_at)
   values (:ledger, '${GROWTH_ENDPOINT}', 'https://example.com/hook', '2026-11-20', now())`,
];

const EVENTS = `insert into events (ledger_id, id, tenant_id, type, event_version, resource_id, sequence, data, created_at)
   select :ledger, ${idSql('evt', 'n')}, m.tenant_id,
     case when n % 997 = 5 then 'voicemail.created' when n % 5 = 0 then 'message.received' else 'message.delivered' end,
     '2026-11-20', m.id, 1, '{"object": "message"}', now() - interval '29 days' * (1 - n::float / :events)
   from generate_series(:from, :to - 1) n
   join messages m on m.ledger_id = :ledger and m.id = ${idSql('msg', 'n')}`;
/**
 * The number of events in one transaction, as in a batch of receipts. Events are listed in the order of transactions.
 */
const EVENTS_PER_TRANSACTION = 64;

// Half of the events have deliveries; 2 in 1,000 of these failed.
const DELIVERIES = `insert into deliveries (ledger_id, endpoint_id, id, event_id, status)
   select ledger_id, '${GROWTH_ENDPOINT}', 'whd_' || substr(id, 5), id,
     case when right(id, 3) = '777' then 'given_up' when right(id, 3) = '776' then 'failed' else 'delivered' end
   from events where ledger_id = :ledger and id ~ '[02468]$'`;

/** From this many rows on, the indexes are made after the rows, which takes less time. */
const INDEXED_AFTER = 2_000_000;

/** Fills a ledger that has no rows yet, and analyses all tables. */
export async function loadGrowth(client: pg.Client, size: GrowthSize): Promise<void> {
  const isLarge = size.conversations + size.messages >= INDEXED_AFTER;
  const makeIndexes = isLarge ? await dropIndexes(client) : undefined;
  await loadRows(client, size);
  await makeIndexes?.();
  await client.query('vacuum analyze');
}

/** Drops all indexes that keep no row unique. Returns the function that makes them again. */
async function dropIndexes(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and not i.indisunique`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return async () => {
    await client.query(`set maintenance_work_mem = '1GB'`);
    for (const { definition } of rows) await client.query(definition);
  };
}

async function loadRows(client: pg.Client, size: GrowthSize): Promise<void> {
  const { ledgerId, tenants, conversations, messages, contacts = conversations } = size;
  const values: Record<string, number> = {
    ledger: ledgerId,
    tenants,
    conversations,
    contacts,
    messages,
    calls: Math.round(messages * CALLS_PER_MESSAGE),
    events: messages,
  };
  await client.query('set synchronous_commit = off');
  const run = (text: string, more: Record<string, number> = {}) =>
    client.query(text.replaceAll(/(?<!:):([a-z]+)/g, (_, name: string) => String({ ...values, ...more }[name])));
  for (const text of STATEMENTS) await run(text);
  for (let from = 0; from < messages; from += EVENTS_PER_TRANSACTION) {
    await run(EVENTS, { from, to: Math.min(from + EVENTS_PER_TRANSACTION, messages) });
  }
  await run(DELIVERIES);
}
