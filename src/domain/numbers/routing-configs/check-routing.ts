import type { FieldError } from '../../../lib/errors.ts';
import { fieldError, refuseFields } from '../../../lib/field-errors.ts';
import { isDialable } from '../../../lib/phone.ts';
import { WEB_CLIENT_ID } from './rules.ts';
import type { BusinessHours, CreateRoutingConfig } from './schema.ts';

/**
 * Checks what the schema does not: targets that can be rung, and holidays that do not contradict themselves. Error:
 * invalid_body.
 */
export function checkRouting({ business_hours, open_behavior, closed_behavior }: CreateRoutingConfig): void {
  const behaviors = { open_behavior, closed_behavior };
  refuseFields([
    ...(business_hours?.holidays ?? []).flatMap(wrongInHoliday),
    ...repeatedHolidays(business_hours?.holidays ?? []),
    ...Object.entries(behaviors).flatMap(([field, behavior]) =>
      behavior?.type === 'ring' ? wrongTargets(`${field}.targets`, behavior.targets) : [],
    ),
  ]);
}

type Holiday = NonNullable<BusinessHours['holidays']>[number];

function wrongInHoliday({ closed, open = null, close = null }: Holiday, index: number): FieldError[] {
  if (open === null && close === null) {
    return closed === false ? [wrongHoliday(index, 'open', 'is needed for a day that is not closed')] : [];
  }
  if (closed === true) return [wrongHoliday(index, 'closed', 'contradicts the hours given with it')];
  if (open === null) return [wrongHoliday(index, 'open', 'is needed where "close" is given')];
  if (close === null) return [wrongHoliday(index, 'close', 'is needed where "open" is given')];
  return [];
}

function repeatedHolidays(holidays: readonly Holiday[]): FieldError[] {
  const dates = new Set<string>();
  return holidays.flatMap(({ date }, index) =>
    dates.size === dates.add(date).size
      ? [wrongHoliday(index, 'date', 'is a holiday that has been listed before')]
      : [],
  );
}

function wrongHoliday(index: number, field: string, why: string): FieldError {
  const param = `business_hours.holidays[${index}].${field}`;
  return fieldError(param, 'invalid_body', `"${param}" ${why}.`);
}

function wrongTargets(field: string, targets: readonly string[]): FieldError[] {
  return targets.flatMap((target, index) => {
    if (WEB_CLIENT_ID.test(target) || isDialable(target)) return [];
    const param = `${field}[${index}]`;
    const what = 'an E.164 number that can be dialled, or the id of a web client of the tenant';
    return [fieldError(param, 'invalid_body', `"${param}" must be ${what}.`)];
  });
}
