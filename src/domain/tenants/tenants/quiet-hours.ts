import { fieldError, refuseFields } from '../../../lib/field-errors.ts';
import type { QuietHours } from './schema.ts';

/** Returns the quiet hours if they end at another time than they start. Error: invalid_body. */
export function checkQuietHours(hours: QuietHours | null): QuietHours | null {
  if (hours !== null && hours.start === hours.end) {
    const message = '"quiet_hours.end" must differ from "start"; null is for no quiet hours.';
    refuseFields([fieldError('quiet_hours.end', 'invalid_body', message)]);
  }
  return hours;
}
