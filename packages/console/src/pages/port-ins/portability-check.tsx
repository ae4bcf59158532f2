import type { NumberPortability } from '@dialplane/sdk/resources';
import { useWrite } from '../../api/queries.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/port-ins.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Table } from '../../ui/table.tsx';

const t = texts.portabilityCheck;

/** Asks whether the losing carrier releases the numbers. Orders nothing. */
export function PortabilityCheck({ numbers }: { numbers: string[] }) {
  const check = useWrite((api, phone_numbers: string[]) => api.portIns.checkPortability({ phone_numbers }), {
    changes: [],
  });
  const results = check.data?.data.filter(({ phone_number }) => numbers.includes(phone_number)) ?? [];
  return (
    <>
      <div>
        <Button isDisabled={numbers.length === 0} isPending={check.isPending} onPress={() => check.mutate(numbers)}>
          {t.checkPortability}
        </Button>
      </div>
      <ErrorNote error={check.error} />
      <div role="status">{results.length > 0 && <Results results={results} />}</div>
    </>
  );
}

function Results({ results }: { results: readonly NumberPortability[] }) {
  return (
    <Table
      label={t.portability}
      rows={results}
      rowId={({ phone_number }) => phone_number}
      columns={[
        { title: t.number, cell: ({ phone_number }) => formatNumber(phone_number) },
        {
          title: t.portability,
          cell: ({ portable }) => <Badge tone={portable ? 'ok' : 'bad'}>{portable ? t.portable : t.notPortable}</Badge>,
        },
        { title: t.reason, cell: ({ reason }) => reason ?? '–' },
      ]}
    />
  );
}
