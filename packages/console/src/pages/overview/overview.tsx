import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { PortOutAlarms } from '../../app/port-out-alarm.tsx';
import { useSession } from '../../app/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Columns, Figures, Page } from '../../ui/page.tsx';
import { FailingEndpoints } from './failing-endpoints.tsx';
import { BalanceFigure, CallsFigure, DeliveryFigure, QueueFigure } from './figures.tsx';
import { RecentEvents } from './recent-events.tsx';
import { RecentFailures } from './recent-failures.tsx';
import { Tour } from './tour.tsx';
import { Traffic } from './traffic.tsx';

/**
 * The present state: traffic, deliveries, failures, calls, balance and the newest events. Everything updates
 * automatically.
 */
export function OverviewPage() {
  const ledger = useLedger();
  const { role } = useSession();
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
      <PortOutAlarms />
      <FailingEndpoints />
      <Tour />
      <Figures>
        <CallsFigure />
        <DeliveryFigure />
        <BalanceFigure />
        {role === 'operator' && <QueueFigure />}
      </Figures>
      <Traffic />
      <Columns>
        <RecentFailures />
        <RecentEvents />
      </Columns>
    </Page>
  );
}
