import { useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { ledgerKey } from '../../api/ledger-key.ts';
import { useWrite } from '../../api/queries.ts';
import { useLedger } from '../../app/ledger.ts';
import { texts } from '../../texts/clock.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';

const t = texts.reset;

/** Deletes all test data, after a confirmation. */
export function Reset() {
  const ledger = useLedger();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const reset = useWrite((api) => api.test.reset(), {
    changes: [],
    done: t.allTestData,
    onDone: () => {
      setAsking(false);
      void client.invalidateQueries({ queryKey: ledgerKey(ledger) });
    },
  });
  return (
    <>
      <Button kind="danger" onPress={() => setAsking(true)}>
        <RotateCcw aria-hidden /> {t.startOver}
      </Button>
      <Confirm
        title={t.deleteAllTest}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirm={t.deleteTestData}
        onConfirm={() => reset.mutate(undefined)}
        isPending={reset.isPending}
        error={reset.error}
      >
        {t.tenantsNumbersMessages}
      </Confirm>
    </>
  );
}
