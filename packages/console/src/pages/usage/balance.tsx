import { lookUp } from '@dialplane/i18n';
import { useList, useRead } from '../../api/queries.ts';
import { useLedger } from '../../app/ledger.ts';
import { formatUsd } from '../../lib/amounts.ts';
import { texts } from '../../texts/usage.ts';
import { Code, Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Figure, Figures, Section } from '../../ui/page.tsx';
import { DownloadEntries } from './download.tsx';

const t = texts.balance;

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
            name={t.balance}
            value={formatUsd(balance.data.amount_usd)}
            note={mode === 'test' ? t.testModeNever : t.prepaidOperatorAdds}
          />
        </Figures>
      )}
      <Section title={t.creditsAndCharges} actions={entries.rows.length > 0 && <DownloadEntries />}>
        <DataList
          label={t.creditsAndCharges}
          list={entries}
          rowId={({ id }) => id}
          columns={[
            { title: t.at, cell: ({ created_at }) => <Moment at={created_at} /> },
            { title: t.kind, cell: ({ kind }) => lookUp(texts.kinds, kind) ?? kind },
            { title: t.reference, cell: ({ reference }) => reference, width: '2fr' },
            { title: t.amount, cell: ({ amount_usd }) => formatUsd(amount_usd), align: 'end' },
            { title: t.balanceAfter, cell: ({ balance_after_usd }) => formatUsd(balance_after_usd), align: 'end' },
          ]}
          empty={
            mode === 'test' ? (
              <EmptyState title={t.testModeNo} curl={<Curl path="/v1/balance/entries" />}>
                {t.testUsageCounted}
              </EmptyState>
            ) : (
              <EmptyState
                title={t.noCreditsCharges}
                curl={
                  <Code
                    label={t.addsCredit}
                    text={`dialplane accounts credit ${accountId} 250 --reference "wire 2026-11-20"`}
                  />
                }
              >
                {t.operatorAddsCredit}
              </EmptyState>
            )
          }
        />
      </Section>
    </>
  );
}
