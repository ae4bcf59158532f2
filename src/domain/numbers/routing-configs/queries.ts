import type { Db, Tx } from '../../../db/database.ts';
import { tenantReader } from '../../../db/list.ts';
import { statement, type Which, whichStatement } from '../../../db/statement.ts';
import { type Ledger, type Scope, visible } from '../../../lib/scope.ts';
import type { RoutingFields } from './fill-defaults.ts';
import type { RoutingConfig } from './schema.ts';

const COLUMNS = `r.id, 'routing_config' as object, r.tenant_id, r.name, r.business_hours, r.open_behavior,
  r.closed_behavior, r.recording, r.listening_announcement, ${holdAudio('url')}, ${holdAudio('status')}, ${holdAudio('error')}, r.created_at`;

function holdAudio(column: string): string {
  const from = 'hold_audio h where h.ledger_id = r.ledger_id and h.id = r.hold_audio_id';
  return `(select h.${column} from ${from}) as hold_audio_${column}`;
}

const INSERT = statement(
  'routing_configs_insert',
  `insert into routing_configs as r
     (ledger_id, id, tenant_id, name, business_hours, open_behavior, closed_behavior, recording, hold_audio_id,
      listening_announcement, created_at)
   values ($1, $2, $10, $3, $4, $5, $6, $7, $8, $9, ledger_now($1)) returning ${COLUMNS}`,
);

/** The fields of a config, with the id of the audio at its address. */
type StoredFields = RoutingFields & { readonly holdAudioId: string | null };

export type NewRoutingConfig = StoredFields & { readonly id: string; readonly tenantId: string };

export async function insertRoutingConfig(tx: Tx, ledger: Ledger, config: NewRoutingConfig): Promise<RoutingConfig> {
  const values = [...valuesOf(ledger, config.id, config), config.tenantId];
  const [row] = await tx.query<RoutingConfig>(INSERT, values);
  return row as RoutingConfig;
}

function valuesOf({ ledgerId }: Ledger, id: string, config: StoredFields): unknown[] {
  const { name, business_hours, open_behavior, closed_behavior, recording, listening_announcement } = config;
  const hours = business_hours === null ? null : JSON.stringify(business_hours);
  const behaviors = [JSON.stringify(open_behavior), JSON.stringify(closed_behavior)];
  return [
    ledgerId,
    id,
    name,
    hours,
    ...behaviors,
    JSON.stringify(recording),
    config.holdAudioId,
    listening_announcement,
  ];
}

const FIND = statement(
  'routing_configs_find',
  `select ${COLUMNS} from routing_configs r where ledger_id = $1 and id = $2`,
);

async function findRoutingConfig(db: Db, { ledgerId }: Ledger, id: string): Promise<RoutingConfig | undefined> {
  const [row] = await db.query<RoutingConfig>(FIND, [ledgerId, id]);
  return row;
}

/** Returns the config, if the key may read it. Errors: routing_config_not_found, tenant_restricted_key. */
export async function getRoutingConfig(db: Db, scope: Scope, id: string): Promise<RoutingConfig> {
  return visible(scope, await findRoutingConfig(db, scope, id), 'routing_config_not_found');
}

/** How many former versions of a config are kept. */
export const VERSIONS_MAX = 100;

// Moments in replies have whole milliseconds. At the millisecond of a replacement, the new version counts.
const FIND_AT = statement(
  'routing_configs_find_at',
  `with replaced as (
     select * from routing_config_versions
     where ledger_id = $1 and routing_config_id = $2 and date_trunc('milliseconds', until) > $3
     order by number limit 1
   )
   select ${COLUMNS} from routing_configs r
   where ledger_id = $1 and id = $2 and date_trunc('milliseconds', created_at) <= $3
     and not exists (select 1 from replaced)
   union all
   select r.id, 'routing_config', r.tenant_id, v.name, v.business_hours, v.open_behavior, v.closed_behavior, v.recording,
     v.listening_announcement, v.hold_audio_url, null, null, r.created_at
   from replaced v join routing_configs r on r.ledger_id = v.ledger_id and r.id = v.routing_config_id
   where date_trunc('milliseconds', v.since) <= $3`,
);

/**
 * Returns the config as it was at a moment of ledger time, RFC 3339. A former version has its hold audio's URL without
 * a status. Errors: routing_config_not_found, also before its creation and before the versions that are kept;
 * tenant_restricted_key.
 */
export async function getRoutingConfigAt(db: Db, scope: Scope, id: string, at: string): Promise<RoutingConfig> {
  const [row] = await db.query<RoutingConfig>(FIND_AT, [scope.ledgerId, id, at]);
  return visible(scope, row, 'routing_config_not_found');
}

const FIND_TO_REFER = statement(
  'routing_configs_find_to_refer',
  `select ${COLUMNS} from routing_configs r where ledger_id = $1 and id = $2 for key share`,
);

/**
 * Like `findRoutingConfig`, but prevents deletion of the config until the transaction ends. So only a deletion can
 * violate the foreign key of the numbers.
 */
export async function findToReferTo(db: Db, { ledgerId }: Ledger, id: string): Promise<RoutingConfig | undefined> {
  const [row] = await db.query<RoutingConfig>(FIND_TO_REFER, [ledgerId, id]);
  return row;
}

const readList = tenantReader<RoutingConfig>({
  name: 'routing_configs_list',
  from: ['routing_configs', 'r'],
  columns: COLUMNS,
});

export function listRoutingConfigs(
  db: Db,
  { ledgerId }: Ledger,
  page: { tenantId: string | null; before: string | null; rows: number },
): Promise<RoutingConfig[]> {
  return readList(db, ledgerId, page);
}

// A former version is written from the row before the update, which `lockHoldAudioOf` has locked.
const REPLACE = statement(
  'routing_configs_replace',
  `with latest as (
     select number, until from routing_config_versions
     where ledger_id = $1 and routing_config_id = $2 order by number desc limit 1
   ), kept as (
     insert into routing_config_versions
       (ledger_id, routing_config_id, number, since, until, name, business_hours, open_behavior, closed_behavior,
        recording, listening_announcement, hold_audio_url)
     select ledger_id, id, coalesce((select number from latest), 0) + 1,
       coalesce((select until from latest), created_at), ledger_now($1), name, business_hours, open_behavior,
       closed_behavior, recording, listening_announcement, ${holdAudio('url')}
     from routing_configs r where ledger_id = $1 and id = $2
   ), dropped as (
     delete from routing_config_versions
     where ledger_id = $1 and routing_config_id = $2
       and number <= (select number from latest) + 1 - ${VERSIONS_MAX}
   )
   update routing_configs r
   set name = $3, business_hours = $4, open_behavior = $5, closed_behavior = $6, recording = $7, hold_audio_id = $8,
     listening_announcement = $9
   where ledger_id = $1 and id = $2 returning ${COLUMNS}`,
);

/** Replaces the fields of a locked config, and stores its former version. Returns undefined if it has been deleted. */
export async function replaceRoutingConfigRow(
  tx: Tx,
  ledger: Ledger,
  id: string,
  config: StoredFields,
): Promise<RoutingConfig | undefined> {
  const [row] = await tx.query<RoutingConfig>(REPLACE, valuesOf(ledger, id, config));
  return row;
}

const LOCK = statement(
  'routing_configs_lock',
  'select hold_audio_id from routing_configs where ledger_id = $1 and id = $2 for no key update',
);

/** Locks a config until the transaction ends. Returns the id of its hold audio; null without one. */
export async function lockHoldAudioOf(tx: Tx, { ledgerId }: Ledger, id: string): Promise<string | null> {
  const [row] = await tx.query<{ hold_audio_id: string | null }>(LOCK, [ledgerId, id]);
  return row?.hold_audio_id ?? null;
}

const deletion = whichStatement(
  'routing_configs_delete',
  (
    which,
  ) => `with deleted as (delete from routing_configs where ledger_id = $1 and ${which} returning id, hold_audio_id),
   uses as (delete from queue_uses where ledger_id = $1 and user_id in (select id from deleted))
   select hold_audio_id from deleted`,
);

/**
 * Deletes one config, or all configs of a tenant. Returns the ids of their hold audio. Error: routing_config_in_use,
 * while a number refers to one.
 */
export async function deleteRoutingConfigRows(tx: Tx, { ledgerId }: Ledger, which: Which): Promise<(string | null)[]> {
  const [statement, value] = deletion(which);
  const rows = await tx.query<{ hold_audio_id: string | null }>(statement, [ledgerId, value]);
  return rows.map(({ hold_audio_id }) => hold_audio_id);
}

const FIND_ROUTING = statement(
  'routing_configs_find_of_number',
  `select t.id as number_tenant_id, t.timezone, ${holdAudio('blob_key')}, ${COLUMNS}
   from phone_numbers p
   join tenants t on t.ledger_id = p.ledger_id and t.id = p.tenant_id
   left join routing_configs r on r.ledger_id = p.ledger_id and r.id = p.routing_config_id
   where p.ledger_id = $1 and p.id = $2`,
);

/** The routing of calls to a number: its config, and the time zone of the hours. */
export type NumberRouting = {
  readonly tenantId: string;
  /** IANA name. */
  readonly timezone: string;
  /** Null if the number has none: voicemail with the default greeting then answers. */
  readonly config: RoutingConfig | null;
  /** The reference for reading the hold audio; null for the built-in pattern. */
  readonly holdAudioRef: string | null;
};

/** Finds the present routing of a number in any status. Undefined if the ledger has no such number. */
export async function findRouting(db: Db, { ledgerId }: Ledger, numberId: string): Promise<NumberRouting | undefined> {
  type Row = RoutingConfig & { number_tenant_id: string; timezone: string; hold_audio_blob_key: string | null };
  const [row] = await db.query<Row>(FIND_ROUTING, [ledgerId, numberId]);
  if (row === undefined) return undefined;
  const { number_tenant_id: tenantId, timezone, hold_audio_blob_key: holdAudioRef, ...config } = row;
  return { tenantId, timezone, config: config.id === null ? null : config, holdAudioRef };
}
