/**
 * The names of calls' lanes. The key is the call. A ledger has two groups, of ordinary and of emergency calls, so that
 * workers can claim the lanes of emergency calls before all others. A call stays in its group.
 */
import { EMERGENCY_NUMBERS } from '../../../../lib/phone/emergency.ts';

export const CALL_LANES = 'call';
const EMERGENCY_GROUPS = 'emergency:';

/** The lane of the call `:call_id` of `:ledger_id`, an ordinary one. */
export const CALL_LANE = {
  ledgerId: ':ledger_id::int',
  kind: `'${CALL_LANES}'`,
  groupId: ':ledger_id::int::text',
  laneKey: ':call_id::text',
} as const;

/** A column of a row of `calls`, for `GROUP_OF_STEPPED`. */
export const IS_EMERGENCY = `"to" in (${EMERGENCY_NUMBERS.map((number) => `'${number}'`).join(', ')}) as is_emergency`;

/** The group of the call in the CTE `stepped`. */
export const GROUP_OF_STEPPED = `case when is_emergency then '${EMERGENCY_GROUPS}' || :ledger_id::int else ${CALL_LANE.groupId} end`;

/** Returns the group of a call. */
export function groupOf(ledgerId: number, { is_emergency }: { readonly is_emergency: boolean }): string {
  return is_emergency ? `${EMERGENCY_GROUPS}${ledgerId}` : String(ledgerId);
}

/** True for a group of emergency calls. */
export function isEmergencyGroup(groupId: string): boolean {
  return groupId.startsWith(EMERGENCY_GROUPS);
}
