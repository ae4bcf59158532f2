import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { isSignedOut } from '../api/query-client.ts';
import { CONSOLE_URL } from '../lib/location.ts';
import { expectPage } from '../ui/arrival.ts';
import { Failure, Loading, Missing } from './failure.tsx';
import { loadPart } from './load-page.ts';
import { OPERATOR_PAGES, PAGES, type PageEntry } from './pages.ts';
import { sessionQuery } from './session.ts';
import { Shell } from './shell.tsx';

/** Returns the component of a page; its module is loaded when the page is opened. */
const pageOf = ({ load, component }: PageEntry) => lazyRouteComponent(() => loadPart(load), component);

/** If an address has no page, the navigation is still shown. */
const FRAMED = { component: Shell, notFoundComponent: Missing };

/** Makes the router. A screen reader announces each navigation to another page. */
export function createAppRouter(client: QueryClient) {
  const router = createRouter({
    routeTree: routesOf(client),
    basepath: CONSOLE_URL.pathname,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: Failure,
    defaultNotFoundComponent: Missing,
    defaultPendingComponent: Loading,
    parseSearch,
    stringifySearch,
  });
  // For the first page, the screen reader itself announces the title.
  router.subscribe('onBeforeLoad', ({ fromLocation, pathChanged }) => {
    if (fromLocation !== undefined && pathChanged) expectPage();
  });
  return router;
}

/** Returns the routes: sign-in, the pages of a ledger below `/{mode}/{account}`, and the pages of operators. */
function routesOf(client: QueryClient) {
  const session = async ({ location }: { location: { href: string } }) => {
    const own = await client.ensureQueryData(sessionQuery).catch((error: unknown) => {
      if (isSignedOut(error)) throw redirect({ to: '/sign-in', search: { from: location.href } as never });
      throw error;
    });
    return { session: own };
  };
  const root = createRootRoute({ component: Outlet, notFoundComponent: Missing });
  const signIn = createRoute({
    getParentRoute: () => root,
    path: 'sign-in',
    component: lazyRouteComponent(() => import('../pages/sign-in/sign-in.tsx'), 'SignInPage'),
  });
  const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', beforeLoad: session });
  const start = createRoute({
    getParentRoute: () => signedIn,
    path: '/',
    beforeLoad: ({ context }) => {
      const accountId = context.session.default_account_id;
      if (accountId !== null) throw redirect({ to: `/test/${accountId}` });
      throw redirect({ to: '/operator/accounts' });
    },
  });
  const ledger = createRoute({
    getParentRoute: () => signedIn,
    path: '$mode/$accountId',
    ...FRAMED,
    beforeLoad: ({ params: { mode } }) => {
      if (mode !== 'test' && mode !== 'live') throw notFound();
    },
  });
  const operator = createRoute({ getParentRoute: () => signedIn, path: 'operator', ...FRAMED });
  const installation = createRoute({
    getParentRoute: () => operator,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/operator/connections' });
    },
  });
  return root.addChildren([
    signIn,
    signedIn.addChildren([
      start,
      ledger.addChildren(
        PAGES.map((page) =>
          createRoute({
            getParentRoute: () => ledger,
            path: page.path === '' ? '/' : page.path,
            component: pageOf(page),
          }),
        ),
      ),
      operator.addChildren([
        installation,
        ...OPERATOR_PAGES.map((page) =>
          createRoute({ getParentRoute: () => operator, path: page.path, component: pageOf(page) }),
        ),
      ]),
    ]),
  ]);
}

/** Filters are texts: "123" is not read as a number. */
function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
