import { useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { ledgerKey, useWrite } from '../../api/queries.ts';
import { useLedger } from '../../app/ledger.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';

/** Deletes all test data, after a question. */
export function Reset() {
  const ledger = useLedger();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const reset = useWrite((api) => api.test.reset(), {
    changes: [],
    done: 'All test data is deleted.',
    onDone: () => {
      setAsking(false);
      void client.invalidateQueries({ queryKey: ledgerKey(ledger) });
    },
  });
  return (
    <>
      <Button kind="danger" onPress={() => setAsking(true)}>
        <RotateCcw aria-hidden /> Start over
      </Button>
      <Confirm
        title="Delete all test data?"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirm="Delete the test data"
        onConfirm={() => reset.mutate(undefined)}
        isPending={reset.isPending}
        error={reset.error}
      >
        Tenants, numbers, messages, calls, events and faults of test mode are deleted, and the clock returns to the real
        time. Live data stays. This cannot be undone.
      </Confirm>
    </>
  );
}
