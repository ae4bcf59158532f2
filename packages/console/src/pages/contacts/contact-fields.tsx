import type { Contact } from '@dialplane/sdk/resources';
import { e164Of, formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/contacts.ts';
import { TextField } from '../../ui/field.tsx';
import type { FormValues } from '../../ui/form.tsx';

const t = texts.contactFields;

export const CONTACT_FIELDS = ['name', 'company', 'phone_numbers', 'email', 'external_ref'];

/** The fields of a contact. Each number has a separate line. */
export function ContactFields({ contact, number }: { contact?: Contact; number?: string | undefined }) {
  const numbers = contact?.phone_numbers ?? (number === undefined ? [] : [number]);
  return (
    <>
      <TextField
        name="name"
        label={t.name}
        isRequired
        autoFocus={contact === undefined}
        defaultValue={contact?.name ?? ''}
      />
      <TextField name="company" label={t.company} defaultValue={contact?.company ?? ''} />
      <TextField
        name="phone_numbers"
        label={t.numbers}
        hint={t.upTenOne}
        rows={3}
        placeholder="(602) 555-0143"
        defaultValue={numbers.map(formatNumber).join('\n')}
      />
      <TextField name="email" label={t.eMail} type="email" defaultValue={contact?.email ?? ''} />
      <TextField
        name="external_ref"
        label={t.yourReference}
        hint={t.idPersonYour}
        defaultValue={contact?.external_ref ?? ''}
      />
    </>
  );
}

/** Returns the values of the fields. An empty field is null. */
export function contactOf({ name = '', phone_numbers = '', ...rest }: FormValues) {
  const { company = null, email = null, external_ref = null } = rest;
  const numbers = phone_numbers
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(e164Of);
  return { name, company, email, external_ref, phone_numbers: numbers };
}
