import type { DialplaneError } from '@dialplane/sdk/resources';
import { useState } from 'react';
import type { AccountStanding } from '../../api/generated/operator-types.ts';
import { creditAccount } from '../../api/operator.ts';
import { useOperatorWrite } from '../../api/operator-queries.ts';
import { texts } from '../../texts/accounts.ts';
import { missingFields } from '../../ui/api-errors.ts';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';

const t = texts.creditForm;

type Payment = { readonly amount_usd: string; readonly reference: string };

/** Adds money to the balance of an account, after a confirmation with the amount. The form stays below the question. */
export function CreditForm({ account, onClose }: { account: AccountStanding; onClose: () => void }) {
  const [payment, setPayment] = useState<Payment>();
  const [missing, setMissing] = useState<DialplaneError | null>(null);
  const ask = ({ amount_usd, reference }: FormValues) => {
    if (amount_usd !== undefined && reference !== undefined) setPayment({ amount_usd, reference });
    else setMissing(missingFields({ amount_usd, reference }));
  };
  const credit = useOperatorWrite(creditAccount, {
    changes: ['accounts'],
    done: ({ is_credited, balance_usd }) =>
      is_credited ? t.balance(account.name, balance_usd) : t.paymentWasCredited(account.name, balance_usd),
    onDone: onClose,
  });
  return (
    <Dialog title={t.credit(account.name)} isOpen onClose={onClose}>
      <Form
        submit={t.goOn}
        fields={['amount_usd', 'reference']}
        error={credit.error ?? missing}
        isPending={false}
        stays
        onCancel={onClose}
        onSubmit={ask}
      >
        <TextField name="amount_usd" label={t.usDollars} isRequired autoFocus placeholder="250" />
        <TextField
          name="reference"
          label={t.reference}
          isRequired
          placeholder={t.wire7}
          hint={t.identifiesPaymentSame}
        />
      </Form>
      {payment !== undefined && (
        <Confirm
          title={t.creditTo(payment.amount_usd, account.name)}
          isOpen
          onClose={() => setPayment(undefined)}
          confirm={t.creditIt}
          onConfirm={() => credit.mutate({ id: account.account_id, ...payment })}
          isPending={credit.isPending}
          error={credit.error}
        >
          <p>{t.paymentAddsBalance(payment.reference, account.balance_usd)}</p>
        </Confirm>
      )}
    </Dialog>
  );
}
