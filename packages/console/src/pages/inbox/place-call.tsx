import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { NumberField } from '../../app/number-field.tsx';
import { e164Of, formatNumber } from '../../lib/numbers.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

const FIELDS = ['from', 'to', 'connect_to'];
/** An agent usually answers at the same telephone again. */
const LAST_KEY = 'dialplane.console.connect-to';

type PlaceCallProps = {
  /** The number of the tenant and the customer. Without them the dialog asks. */
  ends?: { readonly from: string; readonly to: string };
  isOpen: boolean;
  onClose: () => void;
};

/** Rings the agent at the console first, then the customer, and connects the two. */
export function PlaceCall({ ends, isOpen, onClose }: PlaceCallProps) {
  const ledger = useLedger();
  const navigate = useNavigate();
  const [record, setRecord] = useState(false);
  const [transcribe, setTranscribe] = useState(false);
  const call = useWrite(
    (api, numbers: { from: string; to: string; connect_to: string }) =>
      api.calls.create({ ...numbers, record, transcribe }),
    {
      changes: ['calls', 'timeline'],
      done: ({ connect_to }) => `${formatNumber(connect_to ?? '')} rings.`,
      onDone: ({ id, connect_to }) => {
        localStorage.setItem(LAST_KEY, connect_to ?? '');
        onClose();
        return navigate({ to: ledgerPath(ledger, `calls/${id}`) });
      },
    },
  );
  return (
    <Dialog title={ends === undefined ? 'New call' : `Call ${formatNumber(ends.to)}`} isOpen={isOpen} onClose={onClose}>
      <Form
        submit="Call"
        fields={FIELDS}
        error={call.error}
        isPending={call.isPending}
        onCancel={onClose}
        onSubmit={({ from = '', to = '', connect_to = '' }) =>
          call.mutate({ ...(ends ?? { from, to: e164Of(to) }), connect_to: e164Of(connect_to) })
        }
      >
        {ends === undefined && <Ends />}
        <TextField
          name="connect_to"
          label="Your telephone"
          isRequired
          autoFocus={ends !== undefined}
          defaultValue={localStorage.getItem(LAST_KEY) ?? ''}
          placeholder="(602) 555-0120"
          hint={
            ledger.mode === 'test'
              ? 'It rings first: any number, or a web client of the tenant (wcl_…). A simulated agent answers the number.'
              : 'It rings first: a number, or a web client of the tenant (wcl_…).'
          }
        />
        <Checkbox isSelected={transcribe} onChange={setTranscribe}>
          Transcribe the call
        </Checkbox>
        <Checkbox isSelected={record} onChange={setRecord}>
          Record the call, after an announcement
        </Checkbox>
      </Form>
    </Dialog>
  );
}

/** Asks for the number of the tenant and for the customer. */
function Ends() {
  return (
    <>
      <NumberField name="from" label="From" isRequired autoFocus hint="The tenant’s number, which the customer sees." />
      <TextField
        name="to"
        label="To"
        isRequired
        type="tel"
        placeholder="(602) 555-0144"
        hint="The customer’s number."
      />
    </>
  );
}
