import { useState } from 'react';
import type { AccountStanding } from '../../api/generated/operator-types.ts';
import { creditAccount } from '../../api/operator.ts';
import { useOperatorWrite } from '../../api/operator-queries.ts';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

type Payment = { readonly amount_usd: string; readonly reference: string };

/** Adds money to the balance of an account, after a question with the amount. */
export function CreditForm({ account, onClose }: { account: AccountStanding; onClose: () => void }) {
  const [payment, setPayment] = useState<Payment>();
  const credit = useOperatorWrite(creditAccount, {
    changes: ['accounts'],
    done: ({ is_credited, balance_usd }) =>
      is_credited
        ? `The balance of ${account.name} is $${balance_usd}.`
        : `This payment was credited before; the balance of ${account.name} is $${balance_usd}.`,
    onDone: onClose,
  });
  if (payment !== undefined) {
    return (
      <Confirm
        title={`Credit $${payment.amount_usd} to ${account.name}?`}
        isOpen
        onClose={() => setPayment(undefined)}
        confirm="Credit it"
        onConfirm={() => credit.mutate({ id: account.account_id, ...payment })}
        isPending={credit.isPending}
        error={credit.error}
      >
        <p>
          The payment {payment.reference} adds to the balance of live mode, which is ${account.balance_usd}. It is in
          the audit log, and cannot be taken back here.
        </p>
      </Confirm>
    );
  }
  return (
    <Dialog title={`Credit ${account.name}`} isOpen onClose={onClose}>
      <Form
        submit="Go on"
        fields={['amount_usd', 'reference']}
        error={null}
        isPending={false}
        onCancel={onClose}
        onSubmit={(values) => setPayment(values as unknown as Payment)}
      >
        <TextField name="amount_usd" label="US dollars" isRequired autoFocus placeholder="250" />
        <TextField
          name="reference"
          label="Reference"
          isRequired
          placeholder="wire 7"
          hint="Identifies the payment: the same one is credited once"
        />
      </Form>
    </Dialog>
  );
}
