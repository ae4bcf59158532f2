import type { TeardownStep } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { findForm, markFormDeleted, markFormsDeleted } from './queries.ts';

/** Deletes a form and its page; submissions are kept. Errors: opt_in_form_not_found, tenant_restricted_key. */
export async function deleteForm(tx: Tx, scope: Scope, id: string): Promise<void> {
  visible(scope, await findForm(tx, scope, id), 'opt_in_form_not_found');
  if (!(await markFormDeleted(tx, scope, id))) throw new ApiError('opt_in_form_not_found');
}

/** Deletes the forms of a tenant that is being deleted. */
export const deleteTenantForms: TeardownStep = (tx, scope, tenantId) => markFormsDeleted(tx, scope, tenantId);
