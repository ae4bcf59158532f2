import { useState } from 'react';
import { numberOf } from '../../lib/numbers.ts';
import { texts } from '../../texts/phones.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

const t = texts.addPhone;

type AddPhoneProps = { taken: readonly string[]; onAdd: (number: string) => void; onClose: () => void };

/** Numbers that are reserved for fiction. They belong to no person. */
const NEIGHBOURS = Array.from({ length: 57 }, (_, index) => `+16025550${143 + index}`);

/** Asks for the number of a new phone. */
export function AddPhone({ taken, onAdd, onClose }: AddPhoneProps) {
  const [error, setError] = useState<Error | null>(null);
  const add = (typed = '') => {
    const number = numberOf(typed);
    if (number === undefined) return setError(new Error(t.numberHasDigits));
    if (taken.includes(number)) return setError(new Error(t.isHere));
    onAdd(number);
  };
  return (
    <Dialog title={t.addAPhone} isOpen onClose={onClose}>
      <Form
        submit={t.add}
        fields={['number']}
        error={error}
        isPending={false}
        onCancel={onClose}
        onSubmit={({ number }) => add(number)}
      >
        <TextField
          name="number"
          label={t.number}
          autoFocus
          defaultValue={NEIGHBOURS.find((number) => !taken.includes(number)) ?? ''}
          hint={t.anyNumberNot}
        />
      </Form>
    </Dialog>
  );
}
