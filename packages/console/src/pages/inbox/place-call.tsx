import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { e164Of, formatNumber } from '../../lib/numbers.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

const FIELDS = ['connect_to'];
/** Whoever calls again usually answers at the same telephone. */
const LAST_KEY = 'dialplane.console.connect-to';

type PlaceCallProps = { from: string; to: string; isOpen: boolean; onClose: () => void };

/** Rings the person at the console first, then the other one, and connects the two. */
export function PlaceCall({ from, to, isOpen, onClose }: PlaceCallProps) {
  const ledger = useLedger();
  const navigate = useNavigate();
  const [isRecorded, setRecorded] = useState(false);
  const call = useWrite((api, connect_to: string) => api.calls.create({ from, to, connect_to, record: isRecorded }), {
    changes: ['calls', 'timeline'],
    done: ({ connect_to }) => `${formatNumber(connect_to ?? '')} rings.`,
    onDone: ({ id, connect_to }) => {
      localStorage.setItem(LAST_KEY, connect_to ?? '');
      onClose();
      void navigate({ to: ledgerPath(ledger, `calls/${id}`) });
    },
  });
  return (
    <Dialog title={`Call ${formatNumber(to)}`} isOpen={isOpen} onClose={onClose}>
      <Form
        submit="Call"
        fields={FIELDS}
        error={call.error}
        isPending={call.isPending}
        onCancel={onClose}
        onSubmit={({ connect_to = '' }) => call.mutate(e164Of(connect_to))}
      >
        <TextField
          name="connect_to"
          label="Your telephone"
          isRequired
          autoFocus
          defaultValue={localStorage.getItem(LAST_KEY) ?? ''}
          hint="It rings first: a number, or a web client of the tenant (wcl_…)"
        />
        <Checkbox isSelected={isRecorded} onChange={setRecorded}>
          Record it, after an announcement
        </Checkbox>
      </Form>
    </Dialog>
  );
}
