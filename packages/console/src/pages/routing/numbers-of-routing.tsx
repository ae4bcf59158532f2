import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useList, useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/routing.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card } from '../../ui/page.tsx';
import css from './routing.module.css';

const t = texts.numbersOfRouting;

/** The page looks for numbers of the config among at most this many numbers of the tenant. */
const READ_MAX = 1000;

/** The numbers of the tenant that use the config, and the numbers that could. */
export function NumbersOfRouting({ configId, tenantId }: { configId: string; tenantId: string }) {
  const ledger = useLedger();
  const { rows, hasMore, isLoading, isLoadingMore, loadMore, error } = useList(
    ['phone_numbers', 'routed', tenantId],
    (api, page) => api.phoneNumbers.list({ ...page, tenant_id: tenantId }),
  );
  useEffect(() => {
    if (hasMore && !isLoadingMore && rows.length < READ_MAX) loadMore();
  }, [hasMore, isLoadingMore, rows.length, loadMore]);
  const attach = useWrite((api, id: string) => api.phoneNumbers.update(id, { routing_config_id: configId }), {
    changes: ['phone_numbers'],
    done: ({ phone_number }) => t.callsFollowRouting(formatNumber(phone_number)),
  });
  const active = rows.filter(({ status }) => status === 'active');
  const using = active.filter(({ routing_config_id }) => routing_config_id === configId);
  const without = active.filter(({ routing_config_id }) => routing_config_id === null);
  return (
    <Card label={t.numbers}>
      <h2 className={css.heading}>{t.numbersUse}</h2>
      <ErrorNote error={error ?? attach.error} />
      {using.length === 0 && !isLoading && !hasMore && <p className={css.dim}>{t.noneYet}</p>}
      <ul className={css.steps}>
        {using.map(({ id, phone_number }) => (
          <li key={id}>
            <Link to={ledgerPath(ledger, `numbers/${id}`)}>{formatNumber(phone_number)}</Link>
          </li>
        ))}
      </ul>
      {without.length > 0 && <p className={css.dim}>{t.numbersTenantWithout}</p>}
      <div className={css.keys}>
        {without.slice(0, 6).map(({ id, phone_number }) => (
          <Button key={id} small isPending={attach.isPending} onPress={() => attach.mutate(id)}>
            {t.giveTo(formatNumber(phone_number))}
          </Button>
        ))}
      </div>
    </Card>
  );
}
