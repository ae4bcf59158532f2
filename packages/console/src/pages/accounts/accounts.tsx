import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { AccountStanding } from '../../api/generated/operator-types.ts';
import { listStandings } from '../../api/operator.ts';
import { useOperatorList } from '../../api/operator-queries.ts';
import { useProgram } from '../../api/sign-in-options.ts';
import { ledgerPath } from '../../app/ledger.ts';
import { texts } from '../../texts/accounts.ts';
import { Status } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page, Row } from '../../ui/page.tsx';
import { CreateAccount } from './create-account.tsx';
import { CreditForm } from './credit-form.tsx';
import { Notices } from './notices.tsx';
import { Suspension } from './suspension.tsx';

const t = texts.accounts;

type Doing = { readonly what: 'credit' | 'suspend' | 'resume'; readonly account: AccountStanding };

/** The accounts of the installation. An operator opens any of them, in both modes. */
export function AccountsPage() {
  const program = useProgram();
  const [isCreating, setCreating] = useState(false);
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  const accounts = useOperatorList(['accounts', 'standings'], listStandings);
  const create = (
    <Button kind="primary" onPress={() => setCreating(true)}>
      <Plus aria-hidden /> {t.newAccount}
    </Button>
  );
  return (
    <Page title={t.accounts} about={t.platformsUseInstallation} actions={create}>
      <Notices />
      <DataList
        label={t.accounts}
        list={accounts}
        rowId={({ account_id }) => account_id}
        columns={[
          { title: t.name, cell: (account) => <Name account={account} />, width: '2fr', wraps: true },
          { title: t.status, cell: ({ status }) => <Status status={status} />, width: '5.5rem' },
          { title: t.liveBalance, cell: ({ balance_usd }) => `$${balance_usd}`, align: 'end', width: '6rem' },
          { title: t.toLookAt, cell: failuresOf, width: '1.5fr', wraps: true },
          {
            title: t.do,
            cell: (account) => <Actions account={account} onChosen={(what) => setDoing({ what, account })} />,
            align: 'end',
            width: '10.5rem',
          },
          { title: t.open, cell: (account) => <Open account={account} />, align: 'end', width: '7.5rem' },
        ]}
        empty={
          <EmptyState title={t.noAccountsYet}>
            <p>{t.accountPlatformEmbeds}</p>
            <Code label={t.commandMakesAccount} text={`${program} accounts create "Copper State Apps"`} />
          </EmptyState>
        }
      />
      {isCreating && <CreateAccount onClose={() => setCreating(false)} />}
      {doing?.what === 'credit' && <CreditForm account={doing.account} onClose={close} />}
      {(doing?.what === 'suspend' || doing?.what === 'resume') && (
        <Suspension account={doing.account} onClose={close} />
      )}
    </Page>
  );
}

function Name({ account: { name, account_id } }: { account: AccountStanding }) {
  return (
    <>
      <strong>{name}</strong>
      <br />
      <code>{account_id}</code>
    </>
  );
}

/** Returns what needs attention in an account, in words; a dash if nothing does. */
function failuresOf(standing: AccountStanding): string {
  const { emergency_calls, port_outs, failed_texts, failed_calls, failing_endpoints } = standing;
  const parts = [
    [emergency_calls, t.emergencyCalls(emergency_calls)],
    [port_outs, t.portOuts(port_outs)],
    [failed_texts, t.failedTexts(failed_texts)],
    [failed_calls, t.failedCalls(failed_calls)],
    [failing_endpoints, t.failingEndpoints(failing_endpoints)],
  ] as const;
  const failed = parts.filter(([count]) => count > 0).map(([, words]) => words);
  return failed.length === 0 ? '–' : failed.join(', ');
}

type ActionsProps = { account: AccountStanding; onChosen: (what: Doing['what']) => void };

function Actions({ account: { name, status }, onChosen }: ActionsProps) {
  return (
    <Row>
      <Button small aria-label={t.creditOf(name)} onPress={() => onChosen('credit')}>
        {t.credit}
      </Button>
      {status === 'active' ? (
        <Button small kind="danger" aria-label={t.suspendOf(name)} onPress={() => onChosen('suspend')}>
          {t.suspend}
        </Button>
      ) : (
        <Button small aria-label={t.resumeOf(name)} onPress={() => onChosen('resume')}>
          {t.resume}
        </Button>
      )}
    </Row>
  );
}

function Open({ account: { account_id: accountId, name } }: { account: AccountStanding }) {
  return (
    <Row>
      <ButtonLink small to={ledgerPath({ accountId, mode: 'test' })} label={t.testModeOf(name)}>
        {t.test}
      </ButtonLink>
      <ButtonLink small to={ledgerPath({ accountId, mode: 'live' })} label={t.liveModeOf(name)}>
        {t.live}
      </ButtonLink>
    </Row>
  );
}
