import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { signIn } from '../../api/operator.ts';
import { useSignInOptions } from '../../api/sign-in-options.ts';
import { changeStanding } from '../../api/standing.ts';
import { sessionQuery } from '../../app/session.ts';
import { ownPath } from '../../lib/addresses.ts';
import { PREFIX } from '../../lib/location.ts';
import { texts } from '../../texts/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Notice } from '../../ui/notice.tsx';
import css from './sign-in.module.css';

const t = texts.signIn;

/** Why a person from the identity provider is not signed in, by the word in the address. */
const REFUSALS: Readonly<Record<string, string>> = {
  unknown_email: t.yourAddressNo,
  unknown_account: t.yourRoleNot,
  unverified_email: t.yourAddressNot,
  no_email: t.identityProviderDid,
  failed: t.identityProviderDidNot,
};

/** Removes the token from the address at once, so that no browser history has it. */
function takeToken(): string | undefined {
  const token = location.hash.slice(1);
  if (token === '') return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}

/** Returns the token of the link. This works even if the link is opened while this page is shown. */
function useToken(): string | undefined {
  const [token, setToken] = useState(takeToken);
  useEffect(() => {
    const take = () => setToken((before) => takeToken() ?? before);
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  return token;
}

/** Signs in by the one-time link. Its token is after the `#` of the address. */
export function SignInPage() {
  const token = useToken();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { from, refused } = useSearch({ strict: false }) as { from?: unknown; refused?: string };
  const options = useSignInOptions();
  const { mutate, reset, error, isPending, isIdle } = useMutation({
    mutationFn: signIn,
    onSuccess: async () => {
      changeStanding({ isSignedOut: false });
      client.removeQueries({ queryKey: sessionQuery.queryKey });
      await navigate({ href: ownPath(from) });
    },
  });
  // A refusal belongs to the link that was opened before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new token is a new link
  useEffect(() => reset(), [token]);
  useEffect(() => {
    document.title = t.signInDialplane;
  }, []);
  return (
    <main className={css.page}>
      <div className={css.card}>
        <h1>{t.dialplane}</h1>
        {options !== undefined && <Elsewhere address={options.address} token={token} />}
        {token === undefined || error !== null ? (
          <>
            <ErrorNote error={error} />
            {refused !== undefined && (
              <Notice tone="warn" title={t.youNotSigned}>
                <p>{REFUSALS[refused] ?? REFUSALS['failed']}</p>
              </Notice>
            )}
            {options?.has_provider && (
              <Button kind="primary" onPress={() => location.assign(`${PREFIX}/console/sign-in/oidc`)}>
                {t.signYourOrganisation}
              </Button>
            )}
            <p>{options?.has_provider ? t.orOneTimeLink : t.oneTimeLink}</p>
            <Code label={t.commandPrintsLink} text={`${options?.program ?? 'dialplane'} console`} />
            <p className={css.note}>{t.linkGoodOne}</p>
          </>
        ) : (
          <>
            <p>{t.youHaveOpened}</p>
            <Button kind="primary" autoFocus isPending={isPending || !isIdle} onPress={() => mutate(token)}>
              {t.signIn}
            </Button>
          </>
        )}
      </div>
    </main>
  );
}

/** Offers the console's address if the page is open at another one, such as 127.0.0.1 in place of localhost. */
function Elsewhere({ address, token }: { address: string; token: string | undefined }) {
  if (new URL(address).origin === location.origin) return null;
  const link = `${address}/sign-in${location.search}`;
  return (
    <Notice tone="warn" title={t.consoleIsElsewhere}>
      <p>{t.signInThere}</p>
      <a href={token === undefined ? link : `${link}#${token}`}>{address}</a>
    </Notice>
  );
}
