import { Link, useParams } from '@tanstack/react-router';
import { classes } from '../lib/classes.ts';
import { texts } from '../texts/app.ts';
import { useChosenLedger } from './last-page.ts';
import { ledgerPath } from './ledger.ts';
import css from './navigation.module.css';
import { existing, NAV, type NavEntry, OPERATOR_NAV, OPERATOR_PAGES, PAGES, pageTitle } from './pages.ts';
import { useSession } from './session.ts';

const t = texts.navigation;

/** The links to all pages. Operators have the pages of the installation too. */
export function Navigation({ onChosen }: { onChosen?: () => void }) {
  const { accountId } = useParams({ strict: false }) as { accountId?: string };
  const { role } = useSession();
  const ledger = useChosenLedger();
  const isAdmin = role !== 'support' && role !== 'viewer';
  const operator = role === 'operator' ? existing(OPERATOR_NAV, OPERATOR_PAGES) : [];
  const installation = (
    <Group title={t.installation} entries={operator} pathOf={(path) => `/operator/${path}`} onChosen={onChosen} />
  );
  return (
    <nav aria-label={t.pages} className={css.nav}>
      {accountId === undefined && installation}
      {ledger !== null &&
        NAV.filter(({ only }) => only === undefined || only === ledger.mode).map(({ key, entries }) => (
          <Group
            key={key}
            title={key === null ? null : pageTitle(key)}
            entries={existing(entries, PAGES).filter(({ needs }) => needs === undefined || isAdmin)}
            pathOf={(path) => ledgerPath(ledger, path)}
            onChosen={onChosen}
          />
        ))}
      {accountId !== undefined && installation}
    </nav>
  );
}

type GroupProps = {
  title: string | null;
  entries: readonly NavEntry[];
  pathOf: (path: string) => string;
  onChosen: (() => void) | undefined;
};

function Group({ title, entries, pathOf, onChosen }: GroupProps) {
  if (entries.length === 0) return null;
  return (
    <div className={css.group}>
      {title !== null && <h2>{title}</h2>}
      <ul>
        {entries.map(({ path, key, icon: Icon }) => (
          <li key={path}>
            <Link
              to={pathOf(path)}
              className={classes(css.link)}
              activeProps={{ className: classes(css.active), 'aria-current': 'page' }}
              activeOptions={{ exact: path === '', includeSearch: false }}
              {...(onChosen !== undefined && { onClick: onChosen })}
            >
              <Icon aria-hidden />
              {pageTitle(key)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
