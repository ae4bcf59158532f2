import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { readSession } from '../api/operator.ts';
import { isSignedOut as isRefused } from '../api/query-client.ts';
import { changeStanding, noteVersion, useStanding } from '../api/standing.ts';
import { whenForgotten } from '../lib/tab-store.ts';
import { texts } from '../texts/app.ts';
import { showLasting } from '../ui/toast.tsx';
import { sessionQuery } from './session.ts';

const t = texts.standingBar;

const SignInAgain = lazy(() =>
  import('./sign-in-again.tsx').then(({ SignInAgain: component }) => ({ default: component })),
);

const ASK_EVERY_MS = 3_000;
const reload = () => location.reload();

/**
 * Says that the server does not answer or that there is a new version, where short messages are, so that it covers no
 * part of the page. Asks to sign in when the session has ended. The page does not change. Its data is read again when
 * the server answers.
 */
export function StandingBar() {
  const { isAway, isSignedOut, isOutdated } = useStanding();
  useAskAgain(isAway || isSignedOut);
  useLeaveWithOthers();
  useEffect(() => {
    if (isAway) showLasting({ sentence: t.serverDoesNot });
    else if (isOutdated) showLasting({ sentence: t.newVersion, action: { label: t.reload, onPress: reload } });
    return () => showLasting(null);
  }, [isAway, isOutdated]);
  if (!isSignedOut || isAway) return null;
  return (
    <Suspense>
      <SignInAgain />
    </Suspense>
  );
}

/**
 * Reads the session at intervals until the person is signed in, and immediately when the person returns to this tab.
 */
function useAskAgain(isWanted: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isWanted) return;
    const ask = async () => {
      try {
        const session = await readSession();
        const before = client.getQueryData(sessionQuery.queryKey);
        // The page may contain text of the person who was signed in before.
        if (before === undefined || !isSamePerson(before, session)) {
          location.assign(document.baseURI);
          return;
        }
        changeStanding({ isAway: false, isSignedOut: false });
        noteVersion(session.version);
        client.setQueryData(sessionQuery.queryKey, session);
        await client.invalidateQueries();
      } catch (error) {
        if (isRefused(error)) changeStanding({ isAway: false, isSignedOut: true });
      }
    };
    const timer = setInterval(() => void ask(), ASK_EVERY_MS);
    const onFocus = () => void ask();
    addEventListener('focus', onFocus);
    return () => {
      clearInterval(timer);
      removeEventListener('focus', onFocus);
    };
  }, [isWanted, client]);
}

/** If a person signs out in another tab, this tab also leaves the page and drops its data. */
function useLeaveWithOthers(): void {
  const client = useQueryClient();
  const navigate = useNavigate();
  useEffect(
    () => whenForgotten(() => void navigate({ to: '/sign-in', ignoreBlocker: true }).then(() => client.clear())),
    [client, navigate],
  );
}

type Person = Pick<Awaited<ReturnType<typeof readSession>>, 'user' | 'role' | 'account_id'>;

function isSamePerson(before: Person, now: Person): boolean {
  return before.user?.id === now.user?.id && before.role === now.role && before.account_id === now.account_id;
}
