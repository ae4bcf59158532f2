import type { Call } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { otherOf } from './list.tsx';

/** Opts the customer out after a question. Nothing for a caller who hides the number. */
export function OptOutButton({ call }: { call: Call }) {
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const person = otherOf(call);
  const optOut = useWrite((api) => api.calls.optOut(call.id), {
    changes: ['opt_outs', 'conversations'],
    done: `${formatNumber(person)} is opted out.`,
    onDone: close,
  });
  if (!person.startsWith('+')) return null;
  return (
    <>
      <Button onPress={() => setAsking(true)}>Opt out</Button>
      <Confirm
        title={`Opt ${formatNumber(person)} out?`}
        isOpen={isAsking}
        onClose={close}
        confirm="Opt out"
        onConfirm={() => optOut.mutate(undefined)}
        isPending={optOut.isPending}
        error={optOut.error}
      >
        <p>
          The person gets no more texts of this tenant, and no calls in which its software speaks. Only the person’s own
          START lifts that.
        </p>
      </Confirm>
    </>
  );
}
