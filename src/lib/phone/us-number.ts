import { fieldError, refuseFields } from '../errors/field-errors.ts';
import { isUs } from './number-countries.ts';

/**
 * Refuses a number of another country. Numbers of Canada and of Caribbean islands begin with +1 too, so the form of the
 * field does not exclude them. Error: invalid_billing_phone_number.
 */
export function requireUsNumber(param: string, phoneNumber: string): void {
  if (isUs(phoneNumber)) return;
  refuseFields([fieldError(param, 'invalid_billing_phone_number')]);
}
