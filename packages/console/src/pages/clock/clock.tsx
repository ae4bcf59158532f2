import { useLedger } from '../../app/ledger.ts';
import { texts } from '../../texts/clock.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { ClockCard } from './clock-card.tsx';
import { Faults } from './faults.tsx';
import { Outbox } from './outbox.tsx';
import { Reset } from './reset.tsx';

const t = texts.clock;

/** The clock of test mode, the faults of its carrier, the texts that handsets have received, and the reset. */
export function ClockPage() {
  const { mode } = useLedger();
  if (mode === 'live') {
    return (
      <Page title={t.clockAndFaults}>
        <EmptyState title={t.onlyTestMode}>{t.realTimeCannot}</EmptyState>
      </Page>
    );
  }
  return (
    <Page title={t.clockAndFaults} about={t.moveClockYour} actions={<Reset />}>
      <ClockCard />
      <Faults />
      <Outbox />
    </Page>
  );
}
