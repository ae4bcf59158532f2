import { Link } from '@tanstack/react-router';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { failureOf } from '../../lib/failures.ts';
import { texts } from '../../texts/overview.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/page.tsx';
import css from './overview.module.css';
import { TEXTS_MAX, useFates } from './recent-texts.ts';

const t = texts.recentFailures;

/** The reasons why texts failed recently, the most frequent first. */
export function RecentFailures() {
  const ledger = useLedger();
  const { fates } = useFates();
  const failed = fates.decided.filter(({ status }) => status === 'failed');
  const codes = [...Map.groupBy(failed, ({ error_code }) => error_code ?? 'unknown')]
    .map(([code, failures]) => ({ code, count: failures.length }))
    .sort((one, other) => other.count - one.count);
  return (
    <Card label={t.failuresByCode}>
      <h2 className={css.heading}>{t.failuresByCode}</h2>
      {codes.length === 0 ? (
        <p className={css.dim}>{t.noneLastTexts(TEXTS_MAX)}</p>
      ) : (
        <ul className={css.lines}>
          {codes.map(({ code, count }) => (
            <li key={code}>
              <Link
                to={ledgerPath(ledger, 'messages')}
                search={{ status: 'failed' } as never}
                title={failureOf(code).why}
              >
                <code>{code}</code>
              </Link>
              <Badge tone="bad">{count}</Badge>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
