import { EMAIL_CHARS_MAX } from '../../../http/schemas/forms.ts';

/**
 * The rights of a user: an operator may do everything in every account; the others may do what their role allows in one
 * account.
 */
export const USER_ROLES = ['operator', 'admin', 'support', 'viewer'] as const;
export type UserRole = (typeof USER_ROLES)[number];

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/**
 * Returns an address as it is stored. Addresses that differ only in case belong to one user. Undefined if the text is
 * no address.
 */
export function readEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= EMAIL_CHARS_MAX && EMAIL.test(email) ? email : undefined;
}
