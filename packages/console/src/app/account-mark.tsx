import { Link } from '@tanstack/react-router';
import { ChevronDown, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { listAccounts } from '../api/operator.ts';
import { useOperatorRead } from '../api/operator-queries.ts';
import { texts } from '../texts/app.ts';
import { useLastPage } from './last-page.ts';
import css from './mode.module.css';
import { usePart } from './part.ts';

const t = texts.accountMark;

/** The names of this many accounts are read. Other accounts are shown by their id. */
const NAMES_MAX = 100;

const loadMenu = async () => (await import('./account-menu.tsx')).AccountMenu;

/** Shows operators the account of the page. Its menu opens the same page in another account. */
export function AccountMark({ accountId }: { accountId: string }) {
  const name = useAccountName(accountId);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const Menu = usePart(loadMenu, isOpen, close);
  if (name === undefined) return null;
  return (
    <span className={css.account}>
      <button
        type="button"
        aria-haspopup="dialog"
        title={t.otherAccount}
        className={css.choose}
        onClick={() => setOpen(true)}
      >
        <span dir="auto" className={css.name}>
          {name}
        </span>
        <ChevronDown aria-hidden className={css.icon ?? ''} />
      </button>
      {isOpen && Menu !== undefined && <Menu accountId={accountId} onClose={close} />}
    </span>
  );
}

/** Leads from a page of operators back to the account page that the tab showed before. */
export function WayBack() {
  const last = useLastPage();
  const name = useAccountName(last?.accountId);
  if (last === undefined || name === undefined) return null;
  return (
    <Link to={last.path} search={last.search as never} className={css.back}>
      <Undo2 aria-hidden className={css.icon ?? ''} />
      <span dir="auto" className={css.name}>
        {last.mode === 'test' ? t.backToTest(name) : t.backToLive(name)}
      </span>
    </Link>
  );
}

/** Returns the name of an account, or its id if it has no name here; undefined until the names are read. */
function useAccountName(accountId: string | undefined): string | undefined {
  const { data } = useOperatorRead(['accounts', 'names'], async () => (await listAccounts({ limit: NAMES_MAX })).data);
  if (data === undefined || accountId === undefined) return undefined;
  return data.find(({ id }) => id === accountId)?.name ?? accountId;
}
