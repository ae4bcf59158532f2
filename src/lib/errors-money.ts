import type { ErrorEntry } from './errors.ts';

/** Codes about money, a part of `ERRORS`. */
export const MONEY_ERRORS = {
  insufficient_balance: {
    status: 402,
    group: 'money',
    message: 'The balance of the account is too low.',
    remedy: 'Have the operator credit the account. Registrations and purchases need 20 USD, traffic more than nothing.',
  },
} as const satisfies Record<string, ErrorEntry>;
