import { useState } from 'react';
import { numberOf } from '../../lib/numbers.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

type AddPhoneProps = { taken: readonly string[]; onAdd: (number: string) => void; onClose: () => void };

/** Numbers that films use, and no person has. */
const NEIGHBOURS = Array.from({ length: 57 }, (_, index) => `+16025550${143 + index}`);

/** Asks for the number of a new phone. */
export function AddPhone({ taken, onAdd, onClose }: AddPhoneProps) {
  const [error, setError] = useState<Error | null>(null);
  const add = (typed = '') => {
    const number = numberOf(typed);
    if (number === undefined) return setError(new Error('A number has its area code and seven digits.'));
    if (taken.includes(number)) return setError(new Error('This phone is on the page already.'));
    onAdd(number);
  };
  return (
    <Dialog title="Add a phone" isOpen onClose={onClose}>
      <Form
        submit="Add"
        fields={['number']}
        error={error}
        isPending={false}
        onCancel={onClose}
        onSubmit={({ number }) => add(number)}
      >
        <TextField
          name="number"
          label="Number"
          autoFocus
          defaultValue={NEIGHBOURS.find((number) => !taken.includes(number)) ?? ''}
          hint="Any number that is not one of your tenants'"
        />
      </Form>
    </Dialog>
  );
}
