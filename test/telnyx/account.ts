import { ok, Refusal } from './replies.ts';
import type { Route } from './routes.ts';
import type { State } from './state.ts';

/** Returns the operations on the account itself. */
export function accountRoutes(state: State): readonly Route[] {
  return [
    {
      name: 'GET /balance',
      answer: () => {
        const balance = state.balance.toFixed(2);
        const amounts = { balance, available_credit: balance, credit_limit: '0.00', pending: '0.00' };
        return ok({ record_type: 'balance', ...amounts, currency: 'USD' });
      },
    },
  ];
}

/** Refuses a purchase that costs more than the balance, with 402. Only a control changes the balance. */
export function checkBalance(state: State, price: number): void {
  if (state.balance < price) throw new Refusal('20100', 'The balance of the account is too low for this request.');
}

/** Refuses a request if the account is not in order. */
export function checkAccount({ accountError }: State): void {
  if (accountError !== null) throw new Refusal(accountError, 'The state of the account does not allow this request.');
}
