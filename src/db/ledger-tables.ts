import type { Tx } from './database.ts';
import { statement } from './statement.ts';

/** Every table whose rows belong to a ledger and go when it is emptied, referencing tables before referenced ones. */
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
  'simulated_voice_orders',
  'simulated_calls',
  'idempotency_keys',
  'jobs',
  'lanes',
  'paced_messages',
  'campaign_hand_overs',
  'campaign_days',
  'waiting_deliveries',
  'deliveries',
  'webhook_secrets',
  'webhook_endpoints',
  'events',
  'event_sequences',
  'usage_entries',
  'usage_archive',
  'usage_hours',
  'usage_horizons',
  'opt_in_submissions',
  'opt_in_slugs',
  'opt_in_forms',
  'opt_outs',
  'transcript_segments',
  'call_utterances',
  'voicemails',
  'recordings',
  'media_streams',
  'call_audio_nodes',
  'softphone_places',
  'call_commands',
  'call_events',
  'calls',
  'softphone_sessions',
  'web_clients',
  'messages',
  'conversations',
  'phone_numbers',
  'routing_configs',
  'campaigns',
  'brands',
  'e911_addresses',
  'port_ins',
  'tenants',
] as const;

/** A ledger may hold millions of rows. */
const WHOLE_LEDGER = { patienceMs: 600_000 };

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

// With these rows locked nothing can be added that refers to them, and whoever is changing one has committed what
// belongs to the change, so that the deletions see it.
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
    // Counted, so that no row of it comes here.
    statement(
      `${table}_lock_to_empty`,
      `select count(*) from (select 1 from ${table} where ledger_id = $1 for update) l`,
      WHOLE_LEDGER,
    ),
  ),
];

/** Deletes everything in a test ledger but its account-wide keys, and sets its clock back to the wall. */
export async function emptyLedger(tx: Tx, ledgerId: number): Promise<void> {
  for (const lock of LOCKS) await tx.query(lock, [ledgerId]);
  await tx.query(RESET_CLOCK, [ledgerId]);
  for (const table of EMPTY) await tx.query(table, [ledgerId]);
  await tx.query(DROP_TENANT_KEYS, [ledgerId]);
}
