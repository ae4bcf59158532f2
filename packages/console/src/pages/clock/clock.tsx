import { useLedger } from '../../app/ledger.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { ClockCard } from './clock-card.tsx';
import { Faults } from './faults.tsx';
import { Outbox } from './outbox.tsx';
import { Reset } from './reset.tsx';

/** The clock of test mode, the faults of its carrier, what handsets have received, and a new start. */
export function ClockPage() {
  const { mode } = useLedger();
  if (mode === 'live') {
    return (
      <Page title="Clock and faults">
        <EmptyState title="Only in test mode">Real time cannot be moved. Switch to test mode above.</EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title="Clock and faults"
      about="Move the clock of your test data, let the simulated carrier fail, and see what handsets have received."
      actions={<Reset />}
    >
      <ClockCard />
      <Faults />
      <Outbox />
    </Page>
  );
}
