import { ok } from './replies.ts';
import type { Route } from './routes.ts';

/** Returns the operations on the account itself. */
export function accountRoutes(): readonly Route[] {
  const balance = { record_type: 'balance', balance: '100.00', credit_limit: '0.00', available_credit: '100.00' };
  return [{ name: 'GET /balance', answer: () => ok({ ...balance, pending: '0.00', currency: 'USD' }) }];
}
