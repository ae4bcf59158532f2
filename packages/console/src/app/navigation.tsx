import { Link, useLocation } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { openBrowserText } from '../lib/browser-text.ts';
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
  const { role } = useSession();
  const ledger = useChosenLedger();
  const isAdmin = role !== 'support' && role !== 'viewer';
  const operator = role === 'operator' ? existing(OPERATOR_NAV, OPERATOR_PAGES) : [];
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // The link of the open page may be below the window, also on a page that was opened without a click on the link.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another link
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [pathname]);
  return (
    <nav ref={nav} aria-label={t.pages} className={css.nav}>
      {ledger !== null &&
        NAV.filter(({ only }) => only === undefined || only === ledger.mode).map(({ key, entries }) => (
          <Group
            key={key}
            name={key}
            title={key === null ? null : pageTitle(key)}
            entries={existing(entries, PAGES).filter(({ needs }) => needs === undefined || isAdmin)}
            pathOf={(path) => ledgerPath(ledger, path)}
            onChosen={onChosen}
          />
        ))}
      <Group
        name="installation"
        title={t.installation}
        entries={operator}
        pathOf={(path) => `/operator/${path}`}
        onChosen={onChosen}
      />
    </nav>
  );
}

type GroupProps = {
  /** Names the group in the browser's storage; null for the one that cannot be folded. */
  name: string | null;
  title: string | null;
  entries: readonly NavEntry[];
  pathOf: (path: string) => string;
  onChosen: (() => void) | undefined;
};

function Group({ name, title, entries, pathOf, onChosen }: GroupProps) {
  const [isFolded, toggle] = useFolded(name ?? '');
  if (entries.length === 0) return null;
  return (
    <div className={css.group}>
      {title !== null && (
        <h2>
          <button type="button" aria-expanded={!isFolded} className={css.fold} onClick={toggle}>
            {title}
            <ChevronDown aria-hidden className={css.chevron ?? ''} />
          </button>
        </h2>
      )}
      <ul hidden={isFolded}>
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

/** The groups of the navigation that the person has folded. This browser keeps them. */
const folded = openBrowserText('folded');

const namesIn = (text: string) => new Set(text.split(' ').filter((name) => name !== ''));

/** Returns whether a group is folded, and a function that folds or unfolds it. */
function useFolded(group: string): [isFolded: boolean, toggle: () => void] {
  const isFolded = namesIn(folded.use()).has(group);
  const toggle = () => {
    const names = namesIn(folded.read());
    if (!names.delete(group)) names.add(group);
    folded.write([...names].join(' '));
  };
  return [isFolded, toggle];
}
