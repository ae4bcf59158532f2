import type { PlaceCall as CallBody, CheckCallReply } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { NumberField } from '../../app/number-field.tsx';
import { e164Of, formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/inbox.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';

const t = texts.placeCall;

const FIELDS = ['from', 'to', 'connect_to'];
/** The last choice is the default, because an agent usually answers at the same telephone. */
const LAST_KEY = 'dialplane.console.connect-to';

type PlaceCallProps = {
  /** The number of the tenant and the customer. Without them the dialog asks. */
  ends?: { readonly from: string; readonly to: string };
  isOpen: boolean;
  onClose: () => void;
};

/** A call that is not placed yet, and the warnings about it. */
type Warned = { readonly wanted: CallBody; readonly warnings: CheckCallReply['warnings'] };

/** Rings the agent at the console first, then the customer, and connects them. */
export function PlaceCall({ ends, isOpen, onClose }: PlaceCallProps) {
  const ledger = useLedger();
  const navigate = useNavigate();
  const [record, setRecord] = useState(false);
  const [transcribe, setTranscribe] = useState(false);
  const [warned, setWarned] = useState<Warned>();
  const call = useWrite((api, wanted: CallBody) => api.calls.create(wanted), {
    changes: ['calls', 'timeline'],
    done: ({ connect_to }) => t.rings(formatNumber(connect_to ?? '')),
    onDone: ({ id, connect_to }) => {
      localStorage.setItem(LAST_KEY, connect_to ?? '');
      onClose();
      return navigate({ to: ledgerPath(ledger, `calls/${id}`) });
    },
  });
  // If the check refuses the call, the call is still placed: its error is then shown at the fields.
  const check = useWrite((api, wanted: CallBody) => api.calls.check(wanted), {
    changes: [],
    onDone: ({ warnings }, wanted) => (warnings.length === 0 ? call.mutate(wanted) : setWarned({ wanted, warnings })),
  });
  const start = (wanted: CallBody) => {
    setWarned(undefined);
    call.reset();
    check.mutate(wanted);
  };
  return (
    <Dialog title={ends === undefined ? t.newCall : t.callOf(formatNumber(ends.to))} isOpen={isOpen} onClose={onClose}>
      <Form
        submit={t.call}
        fields={FIELDS}
        error={check.error ?? call.error}
        isPending={check.isPending || call.isPending}
        onCancel={onClose}
        onSubmit={({ from = '', to = '', connect_to = '' }) =>
          start({ ...(ends ?? { from, to: e164Of(to) }), connect_to: e164Of(connect_to), record, transcribe })
        }
      >
        {ends === undefined && <Ends />}
        <TextField
          name="connect_to"
          label={t.yourTelephone}
          isRequired
          autoFocus={ends !== undefined}
          defaultValue={localStorage.getItem(LAST_KEY) ?? ''}
          placeholder="(602) 555-0120"
          hint={ledger.mode === 'test' ? t.ringsFirstAny : t.ringsFirstNumber}
        />
        <Checkbox isSelected={transcribe} onChange={setTranscribe}>
          {t.transcribeTheCall}
        </Checkbox>
        <Checkbox isSelected={record} onChange={setRecord}>
          {t.recordCallAfter}
        </Checkbox>
      </Form>
      {warned !== undefined && (
        <Notice
          tone="warn"
          title={t.beforeYouCall}
          action={
            <Button kind="primary" isPending={call.isPending} onPress={() => call.mutate(warned.wanted)}>
              {t.callAnyway}
            </Button>
          }
        >
          {warned.warnings.map(({ code, message }) => (
            <p key={code}>{message}</p>
          ))}
        </Notice>
      )}
    </Dialog>
  );
}

/** Asks for the number of the tenant and for the customer. */
function Ends() {
  return (
    <>
      <NumberField name="from" label={t.from} isRequired autoFocus hint={t.tenantsNumberWhich} />
      <TextField
        name="to"
        label={t.to}
        isRequired
        type="tel"
        placeholder="(602) 555-0144"
        hint={t.theCustomersNumber}
      />
    </>
  );
}
