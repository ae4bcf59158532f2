import type { Db, Tx } from '../../../db/database.ts';
import { listReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { MessageTemplate } from './schema.ts';

/** A template without its variables, which follow from the body. */
export type TemplateRow = Omit<MessageTemplate, 'variables'>;

const COLUMNS = `t.id, 'message_template' as object, t.tenant_id, t.name, t.body, t.created_at`;

const INSERT = statement(
  'message_templates_insert',
  `insert into message_templates as t (ledger_id, id, tenant_id, name, body, created_at)
   values ($1, $2, $3, $4, $5, ledger_now($1)) returning ${COLUMNS}`,
);

export async function insertTemplate(
  tx: Tx,
  { ledgerId }: Ledger,
  { id, tenant_id, name, body }: Pick<TemplateRow, 'id' | 'tenant_id' | 'name' | 'body'>,
): Promise<TemplateRow> {
  const [row] = await tx.query<TemplateRow>(INSERT, [ledgerId, id, tenant_id, name, body]);
  return row as TemplateRow;
}

const FIND = statement(
  'message_templates_find',
  `select ${COLUMNS} from message_templates t where t.ledger_id = $1 and t.id = $2`,
);

export async function findTemplate(db: Db, { ledgerId }: Ledger, id: string): Promise<TemplateRow | undefined> {
  const [row] = await db.query<TemplateRow>(FIND, [ledgerId, id]);
  return row;
}

const LOCK = statement(
  'message_templates_lock',
  `select ${COLUMNS} from message_templates t where t.ledger_id = $1 and t.id = $2 for update`,
);

/** Like `findTemplate`, but locks the template until the transaction ends. */
export async function lockTemplate(tx: Tx, { ledgerId }: Ledger, id: string): Promise<TemplateRow | undefined> {
  const [row] = await tx.query<TemplateRow>(LOCK, [ledgerId, id]);
  return row;
}

const UPDATE = statement(
  'message_templates_update',
  `update message_templates t set name = $3, body = $4 where t.ledger_id = $1 and t.id = $2 returning ${COLUMNS}`,
);

export async function updateTemplateRow(
  tx: Tx,
  { ledgerId }: Ledger,
  { id, name, body }: Pick<TemplateRow, 'id' | 'name' | 'body'>,
): Promise<TemplateRow> {
  const [row] = await tx.query<TemplateRow>(UPDATE, [ledgerId, id, name, body]);
  return row as TemplateRow;
}

const DELETE = statement('message_templates_delete', 'delete from message_templates where ledger_id = $1 and id = $2');

export async function deleteTemplateRow(tx: Tx, { ledgerId }: Ledger, id: string): Promise<void> {
  await tx.query(DELETE, [ledgerId, id]);
}

const DELETE_OF_TENANT = statement(
  'message_templates_delete_of_tenant',
  `delete from message_templates where ledger_id = $1 and coalesce(tenant_id, '') = $2`,
);

export async function deleteTemplatesOfTenant(tx: Tx, { ledgerId }: Ledger, tenantId: string): Promise<void> {
  await tx.query(DELETE_OF_TENANT, [ledgerId, tenantId]);
}

const LIST = { name: 'message_templates_list', from: ['message_templates', 't'], columns: COLUMNS } as const;
/** The owner of a template for all tenants, in the index of owners. */
const SHARED = '';

const readLedger = listReader<TemplateRow>(LIST, { name: 'ledger', keys: [] });
const readOwners = listReader<TemplateRow>(LIST, { name: 'owner', keys: [{ sql: `coalesce(t.tenant_id, '')` }] });

/** The owners of the templates in a list: all, one tenant, or the owners of templates that a tenant may use. */
export type TemplateOwners = { readonly tenantId: string | null; readonly withShared: boolean };

/** Returns templates, newest first. */
export function listTemplates(
  db: Db,
  { ledgerId }: Ledger,
  { owners, ...page }: { owners: TemplateOwners; before: string | null; rows: number },
): Promise<TemplateRow[]> {
  const { tenantId, withShared } = owners;
  if (tenantId === null) return readLedger(db, ledgerId, page);
  const arms = [[tenantId], ...(withShared ? [[SHARED]] : [])];
  return readOwners(db, ledgerId, { ...page, arms });
}
