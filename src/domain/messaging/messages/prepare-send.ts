import type { Db } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import { planSend } from '../scheduling/plan-send.ts';
import { getTemplate } from '../templates/change-templates.ts';
import { fillTemplate } from '../templates/rules.ts';
import { type Draft, withBody } from './draft.ts';
import type { SendMessage } from './schema.ts';

/** A send, and its draft after the checks that need no database. */
export type Wanted = { readonly wanted: SendMessage; readonly draft: Draft };

/**
 * Completes a draft: fills its template, and decides when it is sent. A send with neither template nor time reads
 * nothing. If it is `planned`, it still reads, because quiet hours may apply.
 * @returns the draft, or the reason why there is none: template_not_found, tenant_restricted_key, missing_variables,
 * empty_message, body_too_long, invalid_body or invalid_send_at
 */
export async function prepareSend(
  db: Db,
  scope: Scope,
  { wanted, draft, planned = false }: Wanted & { readonly planned?: boolean },
): Promise<Draft | ApiError> {
  const { template_id: templateId, respect_quiet_hours: respectsQuietHours = false } = wanted;
  if (templateId === undefined && draft.sendAt === null && !respectsQuietHours && !planned) return draft;
  try {
    const { sendAt, tenantId } = await planSend(db, scope, { ...draft, respectsQuietHours });
    const timed = { ...draft, sendAt, isPlanned: true };
    if (templateId === undefined) return timed;
    const template = await getTemplate(db, scope, templateId, 'template_id');
    // A number that the key may not use is refused later, as in every other send.
    const isJudged = tenantId !== null && (scope.tenantId === null || scope.tenantId === tenantId);
    const isForeign = isJudged && template.tenant_id !== null && template.tenant_id !== tenantId;
    if (isForeign) return new ApiError('template_not_found', { param: 'template_id' });
    return withBody(timed, fillTemplate(template.body, wanted.variables ?? {}));
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return error;
    throw error;
  }
}
