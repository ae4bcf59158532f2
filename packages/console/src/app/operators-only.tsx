import { ButtonLink } from '../ui/button.tsx';
import { Code } from '../ui/code.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';
import { ledgerPath } from './ledger.ts';
import { useSession } from './session.ts';

/** Shown in place of an operator's page to a session of one account. */
export function OperatorsOnly() {
  const { account_id: accountId } = useSession();
  return (
    <Page title="For operators">
      <EmptyState
        title="This page needs the session of an operator"
        action={
          accountId !== null && (
            <ButtonLink kind="primary" to={ledgerPath({ accountId, mode: 'test' })}>
              Back to your account
            </ButtonLink>
          )
        }
      >
        <p>Your session opens one account. A person with access to the server prints a link for an operator:</p>
        <Code label="The command that prints a link for operators" text="npx dialplane console" />
      </EmptyState>
    </Page>
  );
}
