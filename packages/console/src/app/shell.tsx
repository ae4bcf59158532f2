import { Outlet, useParams } from '@tanstack/react-router';
import { CircleUserRound, Menu as MenuIcon, Search } from 'lucide-react';
import { lazy, type MouseEvent, Suspense, useEffect, useState } from 'react';
import type { Mode } from '../api/client.ts';
import { classes } from '../lib/classes.ts';
import { texts } from '../texts/app.ts';
import { useArrivedAt } from '../ui/arrival.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { PageToasts } from '../ui/toast.tsx';
import { AccountMark, WayBack } from './account-mark.tsx';
import { EmergencyAlarms } from './emergency-alarm.tsx';
import { useKeepPage } from './last-page.ts';
import { LiveProvider } from './live.tsx';
import { ModeMark } from './mode.tsx';
import { Navigation } from './navigation.tsx';
import { usePart } from './part.ts';
import { useSession } from './session.ts';
import css from './shell.module.css';
import { StandingBar } from './standing-bar.tsx';

const t = texts.shell;
const userTexts = texts.userMenu;

// These parts of the frame are loaded after the page.
const loadPalette = async () => (await import('./palette.tsx')).Palette;
const loadDrawer = async () => (await import('./drawer.tsx')).Drawer;
const OperatorsOnly = lazy(() =>
  import('./operators-only.tsx').then(({ OperatorsOnly: component }) => ({ default: component })),
);
const loadUserMenu = async () => (await import('./user-menu.tsx')).UserMenu;

/**
 * Moves the focus to the page. The address does not change: with the base of the document, `#main` would be another
 * page.
 */
function skipToMain(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** The frame of all pages behind the sign-in: navigation, mode, command palette and menu. */
export function Shell() {
  const { mode, accountId } = useParams({ strict: false }) as { mode?: Mode; accountId?: string };
  const { role } = useSession();
  const [above, setAbove] = useState<'palette' | 'drawer' | null>(null);
  useKeepPage(mode !== undefined && accountId !== undefined ? { mode, accountId } : undefined);
  usePaletteKey(() => setAbove('palette'));
  const close = () => setAbove(null);
  const Palette = usePart(loadPalette, above === 'palette', close);
  const Drawer = usePart(loadDrawer, above === 'drawer', close);
  return (
    <div className={classes(css.shell, mode === 'test' && css.test, mode === 'live' && css.live)}>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place on the page, which the base of the document hides */}
      <a href="#main" className={css.skip} onClick={skipToMain}>
        {t.skipPage}
      </a>
      <StandingBar />
      <header className={css.top}>
        <div className={css.menuButton}>
          <IconButton label={t.navigation} onPress={() => setAbove('drawer')}>
            <MenuIcon />
          </IconButton>
        </div>
        <span className={css.brand}>Dialplane</span>
        {mode !== undefined && accountId !== undefined ? (
          <>
            <ModeMark mode={mode} accountId={accountId} />
            {role === 'operator' && <AccountMark accountId={accountId} />}
          </>
        ) : (
          <>
            <span className={css.installation}>{t.installation}</span>
            {role === 'operator' && <WayBack />}
          </>
        )}
        <div className={css.space} />
        <div className={css.search}>
          <Button onPress={() => setAbove('palette')}>
            <Search aria-hidden /> <span className={css.searchText}>{t.find}</span>{' '}
            <kbd className={css.searchText} aria-hidden>
              Ctrl K
            </kbd>
          </Button>
        </div>
        <MenuOfUser />
      </header>
      <PageToasts />
      <div className={css.side}>
        <Navigation />
      </div>
      <main id="main" tabIndex={-1} className={css.main}>
        {accountId === undefined ? (
          <OfInstallation />
        ) : (
          <LiveProvider key={`${accountId} ${mode}`}>
            <EmergencyAlarms />
            <Outlet />
          </LiveProvider>
        )}
      </main>
      {above === 'drawer' && Drawer !== undefined && <Drawer onClose={close} />}
      {above === 'palette' && Palette !== undefined && <Palette onClose={close} />}
      <PageName />
    </div>
  );
}

/** The button of the person's menu. The menu is large, so it is loaded when it is first opened. */
function MenuOfUser() {
  const [isWanted, setWanted] = useState(false);
  const UserMenu = usePart(loadUserMenu, isWanted, () => setWanted(false));
  if (UserMenu !== undefined) return <UserMenu />;
  return (
    <IconButton label={userTexts.yourMenu} onPress={() => setWanted(true)}>
      <CircleUserRound />
    </IconButton>
  );
}

/** Says to a screen reader which page a navigation has opened. */
function PageName() {
  const title = useArrivedAt();
  return (
    <p role="status" className="visually-hidden">
      {title !== '' && t.pageNamed(title)}
    </p>
  );
}

/** A page of the installation. In the session of one account, it shows why the page is not available. */
function OfInstallation() {
  return useSession().role === 'operator' ? (
    <Outlet />
  ) : (
    <Suspense>
      <OperatorsOnly />
    </Suspense>
  );
}

/** Opens the command palette on Ctrl K, or Command K, on every page. */
function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  });
}
