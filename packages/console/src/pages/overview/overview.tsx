import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { PortOutAlarms } from '../../app/port-out-alarm.tsx';
import { useSession } from '../../app/session.ts';
import { texts } from '../../texts/overview.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Columns, Figures, Page } from '../../ui/page.tsx';
import { FailingEndpoints } from './failing-endpoints.tsx';
import { BalanceFigure, CallsFigure, DeliveryFigure, QueueFigure } from './figures.tsx';
import { RecentEvents } from './recent-events.tsx';
import { RecentFailures } from './recent-failures.tsx';
import { Tour } from './tour.tsx';
import { Traffic } from './traffic.tsx';

const t = texts.overview;

/**
 * The present state: traffic, deliveries, failures, calls, balance and the newest events. Everything updates
 * automatically.
 */
export function OverviewPage() {
  const ledger = useLedger();
  const { role } = useSession();
  return (
    <Page
      title={t.overview}
      about={ledger.mode === 'test' ? t.testModeSimulated : t.liveModeReal}
      actions={<ButtonLink to={ledgerPath(ledger, 'inbox')}>{t.openTheInbox}</ButtonLink>}
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
