import type { Tx } from './database.ts';
import { statement } from './statement.ts';

/** Tables whose rows are deleted when a ledger is emptied: referencing tables before referenced ones. */
export const LEDGER_TABLES = [
  'simulated_faults',
  'simulated_settings',
  'simulated_registrations',
  'simulated_assignments',
  'simulated_messages',
  'simulated_numbers',
  'simulated_e911_addresses',
  'simulated_e911_numbers',
  'simulated_port_ins',
  'simulated_audio',
  'simulated_sounds',
  'simulated_recordings',
  'simulated_legs',
  'simulated_voice_commands',
  'simulated_calls',
  'idempotency_keys',
  'jobs',
  'lanes',
  'paced_messages',
  'campaign_hand_overs',
  'campaign_days',
  'webhook_replays',
  'waiting_deliveries',
  'deliveries',
  'webhook_secrets',
  'webhook_endpoints',
  'events',
  'event_sequences',
  'usage_entries',
  'usage_archive',
  'usage_hours',
  'usage_days',
  'usage_horizons',
  'opt_in_submissions',
  'opt_in_slugs',
  'opt_in_forms',
  'opt_outs',
  'opt_out_moments',
  'opt_out_candidates',
  'auto_replies',
  'transcript_segments',
  'call_utterances',
  'voicemails',
  'recordings',
  'media_streams',
  'call_audio_nodes',
  'agent_audio_legs',
  'queue_agent_legs',
  'queue_entries',
  'queue_uses',
  'queue_agent_turns',
  'queue_agents',
  'queues',
  'web_client_speeches',
  'web_client_legs',
  'web_client_dials',
  'call_commands',
  'call_events',
  'calls',
  'browser_sessions',
  'web_client_sessions',
  'web_clients',
  'scheduled_messages',
  'message_templates',
  'message_media',
  'messages',
  'conversation_notes',
  'conversation_labels',
  'conversation_reads',
  'conversation_people',
  'conversations',
  'contact_words',
  'contact_numbers',
  'contacts',
  'number_port_outs',
  'phone_numbers',
  'routing_config_versions',
  'routing_configs',
  'hold_audio',
  'campaigns',
  'brand_codes',
  'brands',
  'e911_addresses',
  'port_in_documents',
  'port_ins',
  'person_erasures',
  'person_exports',
  'retention_progress',
  'tenant_words',
  'tenants',
] as const;

/** A ledger may hold millions of rows. */
const WHOLE_LEDGER = { timeoutMs: 600_000 };

const EMPTY = LEDGER_TABLES.map((table) =>
  statement(`${table}_empty_ledger`, `delete from ${table} where ledger_id = $1`, WHOLE_LEDGER),
);

const DROP_TENANT_KEYS = statement(
  'api_keys_drop_of_tenants',
  'delete from api_keys where ledger_id = $1 and tenant_id is not null',
);

const RESET_CLOCK = statement(
  'ledgers_reset_clock',
  `update ledgers set clock_offset = '0' where id = $1 and mode = 'test'`,
);

// While these rows are locked, no other transaction can insert a row that refers to them. A transaction that changes
// one of them has committed by then, so the deletions see its writes.
const LOCKS = [
  statement('ledgers_lock_to_empty', 'select 1 from ledgers where id = $1 for update'),
  ...(
    [
      'tenants',
      'phone_numbers',
      'calls',
      'conversations',
      'messages',
      'opt_outs',
      'webhook_endpoints',
      'opt_in_forms',
      'web_clients',
    ] as const
  ).map((table) =>
    // `count` keeps the server from sending the rows to this process.
    statement(
      `${table}_lock_to_empty`,
      `select count(*) from (select 1 from ${table} where ledger_id = $1 for update) l`,
      WHOLE_LEDGER,
    ),
  ),
];

/** Deletes everything in a test ledger except its account-wide keys, and resets its clock to the wall clock. */
export async function emptyLedger(tx: Tx, ledgerId: number): Promise<void> {
  for (const lock of LOCKS) await tx.query(lock, [ledgerId]);
  await tx.query(RESET_CLOCK, [ledgerId]);
  for (const table of EMPTY) await tx.query(table, [ledgerId]);
  await tx.query(DROP_TENANT_KEYS, [ledgerId]);
}
