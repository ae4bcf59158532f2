import { Link } from '@tanstack/react-router';
import { listAccounts } from '../api/operator.ts';
import { useOperatorRead } from '../api/operator-queries.ts';
import { texts } from '../texts/app.ts';
import css from './mode.module.css';

const t = texts.accountMark;

/** The names of this many accounts are read; others are shown by their id. */
const NAMES_MAX = 100;

/** Shows operators the account of the page, with a link to all accounts. */
export function AccountMark({ accountId }: { accountId: string }) {
  const { data } = useOperatorRead(['accounts', 'names'], async () => (await listAccounts({ limit: NAMES_MAX })).data);
  if (data === undefined) return null;
  return (
    <Link to="/operator/accounts" title={t.allAccounts} className={css.account}>
      {data.find(({ id }) => id === accountId)?.name ?? accountId}
    </Link>
  );
}
