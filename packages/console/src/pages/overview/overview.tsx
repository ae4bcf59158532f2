import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Columns, Figures, Page } from '../../ui/page.tsx';
import { BalanceFigure, CallsFigure, DeliveryFigure } from './figures.tsx';
import { RecentEvents } from './recent-events.tsx';
import { RecentFailures } from './recent-failures.tsx';
import { Tour } from './tour.tsx';
import { Traffic } from './traffic.tsx';

/** What happens now: traffic, deliveries, failures, calls, balance and the newest events. Everything follows by itself. */
export function OverviewPage() {
  const ledger = useLedger();
  return (
    <Page
      title="Overview"
      about={
        ledger.mode === 'test'
          ? 'Test mode: a simulated carrier, simulated people and a clock that you can move.'
          : 'Live mode: real carriers, real people, real money.'
      }
      actions={<ButtonLink to={ledgerPath(ledger, 'inbox')}>Open the inbox</ButtonLink>}
    >
      <Tour />
      <Figures>
        <CallsFigure />
        <DeliveryFigure />
        <BalanceFigure />
      </Figures>
      <Traffic />
      <Columns>
        <RecentFailures />
        <RecentEvents />
      </Columns>
    </Page>
  );
}
