import { useProgram } from '../api/sign-in-options.ts';
import { texts } from '../texts/parts.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Code } from '../ui/code.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';
import { ledgerPath } from './ledger.ts';
import { useSession } from './session.ts';

const t = texts.operatorsOnly;

/** Shown in place of a page of operators, if the session belongs to one account. */
export function OperatorsOnly() {
  const program = useProgram();
  const { account_id: accountId } = useSession();
  return (
    <Page title={t.forOperators}>
      <EmptyState
        title={t.pageNeedsSession}
        action={
          accountId !== null && (
            <ButtonLink kind="primary" to={ledgerPath({ accountId, mode: 'test' })}>
              {t.backYourAccount}
            </ButtonLink>
          )
        }
      >
        <p>{t.yourSessionOpens}</p>
        <Code label={t.commandPrintsLink} text={`${program} console`} />
      </EmptyState>
    </Page>
  );
}
