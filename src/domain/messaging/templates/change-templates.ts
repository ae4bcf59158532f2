import type { TeardownStep } from '../../../context.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { getTenant, lockTenantShared } from '../../tenants/index.ts';
import {
  deleteTemplateRow,
  deleteTemplatesOfTenant,
  findTemplate,
  insertTemplate,
  lockTemplate,
  type TemplateRow,
  updateTemplateRow,
} from './queries.ts';
import { checkVariables, variablesOf } from './rules.ts';
import type { CreateMessageTemplate, MessageTemplate, UpdateMessageTemplate } from './schema.ts';

/** Adds the names of the variables to a template. */
export function withVariables(row: TemplateRow): MessageTemplate {
  return { ...row, variables: variablesOf(row.body) };
}

/**
 * Creates a template of one tenant, or for all tenants. A key of one tenant creates templates of its tenant only.
 * Errors: invalid_body, key_not_permitted, tenant_not_found, tenant_restricted_key.
 */
export async function createTemplate(tx: Tx, scope: Scope, wanted: CreateMessageTemplate): Promise<MessageTemplate> {
  const { name, body, tenant_id = scope.tenantId } = wanted;
  checkVariables(body);
  if (tenant_id === null) requireAccountKey(scope);
  else {
    const tenant = await getTenant(tx, scope, tenant_id);
    if (!(await lockTenantShared(tx, scope, tenant.id))) throw new ApiError('tenant_not_found', { param: 'tenant_id' });
  }
  return withVariables(await insertTemplate(tx, scope, { id: newId('message_template'), tenant_id, name, body }));
}

/**
 * Returns a template. Each key may read the templates for all tenants. Errors: template_not_found,
 * tenant_restricted_key.
 */
export async function getTemplate(db: Db, scope: Scope, id: string, param?: string): Promise<MessageTemplate> {
  return withVariables(readable(scope, await findTemplate(db, scope, id), param));
}

/**
 * Changes the given fields. Texts that were sent or scheduled with the template stay as they are.
 * Errors: invalid_body, template_not_found, tenant_restricted_key, key_not_permitted.
 */
export async function updateTemplate(
  tx: Tx,
  scope: Scope,
  { id, change }: { readonly id: string; readonly change: UpdateMessageTemplate },
): Promise<MessageTemplate> {
  if (change.body !== undefined) checkVariables(change.body);
  const template = changeable(scope, await lockTemplate(tx, scope, id));
  return withVariables(await updateTemplateRow(tx, scope, { ...template, ...change }));
}

/** Deletes a template. Errors: template_not_found, tenant_restricted_key, key_not_permitted. */
export async function deleteTemplate(tx: Tx, scope: Scope, id: string): Promise<void> {
  const template = changeable(scope, await lockTemplate(tx, scope, id));
  await deleteTemplateRow(tx, scope, template.id);
}

/** Deletes the templates of a tenant that is being deleted. */
export const deleteTenantTemplates: TeardownStep = (tx, scope, tenantId) =>
  deleteTemplatesOfTenant(tx, scope, tenantId);

function readable(scope: Scope, row: TemplateRow | undefined, param?: string): TemplateRow {
  return row?.tenant_id === null ? row : visible(scope, row, 'template_not_found', param);
}

function changeable(scope: Scope, row: TemplateRow | undefined): TemplateRow {
  const template = readable(scope, row);
  if (template.tenant_id === null) requireAccountKey(scope);
  return template;
}

function requireAccountKey({ tenantId }: Scope): void {
  if (tenantId !== null) throw new ApiError('key_not_permitted');
}
