import { fieldError, refuseFields } from '../../../lib/errors/field-errors.ts';
import { isDialable } from '../../../lib/phone/phone.ts';

/** Returns the contacts if all are possible phone numbers. Error: invalid_phone, with the field. */
export function checkContacts(contacts: readonly string[]): readonly string[] {
  refuseFields(
    contacts.flatMap((contact, index) =>
      isDialable(contact) ? [] : [fieldError(`emergency_contacts[${index}]`, 'invalid_phone')],
    ),
  );
  return contacts;
}
