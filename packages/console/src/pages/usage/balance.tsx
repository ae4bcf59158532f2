import { useList, useRead } from '../../api/queries.ts';
import { useLedger } from '../../app/ledger.ts';
import { formatUsd } from '../../lib/amounts.ts';
import { Code, Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Figure, Figures, Section } from '../../ui/page.tsx';
import { DownloadEntries } from './download.tsx';
import { KIND_TITLES } from './kinds.ts';

/** The prepaid balance, with its credits and charges. */
export function Balance() {
  const { mode, accountId } = useLedger();
  const balance = useRead(['balance'], (api) => api.balance.get());
  const entries = useList(['balance', 'entries'], (api, page) => api.balance.listEntries(page));
  return (
    <>
      <ErrorNote error={balance.error} />
      {balance.data !== undefined && (
        <Figures>
          <Figure
            name="Balance"
            value={formatUsd(balance.data.amount_usd)}
            note={mode === 'test' ? 'Test mode is never charged.' : 'Prepaid; the operator adds credits.'}
          />
        </Figures>
      )}
      <Section title="Credits and charges" actions={entries.rows.length > 0 && <DownloadEntries />}>
        <DataList
          label="Credits and charges"
          list={entries}
          rowId={({ id }) => id}
          columns={[
            { title: 'At', cell: ({ created_at }) => <Moment at={created_at} /> },
            { title: 'Kind', cell: ({ kind }) => (KIND_TITLES as Record<string, string>)[kind] ?? kind },
            { title: 'Reference', cell: ({ reference }) => reference, width: '2fr' },
            { title: 'Amount', cell: ({ amount_usd }) => formatUsd(amount_usd), align: 'end' },
            { title: 'Balance after', cell: ({ balance_after_usd }) => formatUsd(balance_after_usd), align: 'end' },
          ]}
          empty={
            mode === 'test' ? (
              <EmptyState title="Test mode has no money" curl={<Curl path="/v1/balance/entries" />}>
                Test usage is counted and never charged. Credits and charges are those of live mode.
              </EmptyState>
            ) : (
              <EmptyState
                title="No credits and charges yet"
                curl={
                  <Code
                    label="Adds credit"
                    text={`dialplane accounts credit ${accountId} 250 --reference "wire 2026-11-20"`}
                  />
                }
              >
                The operator adds credit on the server. Charges follow as things are used.
              </EmptyState>
            )
          }
        />
      </Section>
    </>
  );
}
