import type { Context } from '../../../context.ts';
import type { Db } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { type FormRow, findForm } from './queries.ts';
import type { OptInForm } from './schema.ts';

/** The paths of the public pages below the installation's public URL. */
export const PAGE_PATH = '/opt-in';
export const OPT_OUT_PATH = '/opt-out';

/** Returns a form that is not deleted. Errors: opt_in_form_not_found, tenant_restricted_key. */
export async function getForm(
  context: Pick<Context, 'settings'>,
  db: Db,
  scope: Scope,
  id: string,
): Promise<OptInForm> {
  const { deleted, ...row } = await getFormForEvidence(db, scope, id);
  if (deleted) throw new ApiError('opt_in_form_not_found');
  return withUrl(context, row);
}

/**
 * Returns a form even if deleted: its submissions stay readable. Errors: opt_in_form_not_found, tenant_restricted_key.
 */
export async function getFormForEvidence(db: Db, scope: Scope, id: string) {
  return visible(scope, await findForm(db, scope, id), 'opt_in_form_not_found');
}

export function withUrl({ settings }: Pick<Context, 'settings'>, row: FormRow): OptInForm {
  const { publicUrl } = settings;
  return {
    ...row,
    url: `${publicUrl}${PAGE_PATH}/${row.slug}`,
    opt_out_url: `${publicUrl}${OPT_OUT_PATH}/${row.slug}`,
  };
}
