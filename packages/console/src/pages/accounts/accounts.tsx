import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { AccountStanding } from '../../api/generated/operator-types.ts';
import { listStandings } from '../../api/operator.ts';
import { useOperatorList } from '../../api/operator-queries.ts';
import { ledgerPath } from '../../app/ledger.ts';
import { Status } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page, Row } from '../../ui/page.tsx';
import { CreateAccount } from './create-account.tsx';
import { CreditForm } from './credit-form.tsx';
import { Suspension } from './suspension.tsx';

type Doing = { readonly what: 'credit' | 'suspend' | 'resume'; readonly account: AccountStanding };

/** The accounts of the installation. An operator opens any of them, in both modes. */
export function AccountsPage() {
  const [isCreating, setCreating] = useState(false);
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  const accounts = useOperatorList(['accounts', 'standings'], listStandings);
  const create = (
    <Button kind="primary" onPress={() => setCreating(true)}>
      <Plus aria-hidden /> New account
    </Button>
  );
  return (
    <Page
      title="Accounts"
      about="The platforms that use this installation. Each has keys and data of its own, in test and in live mode."
      actions={create}
    >
      <DataList
        label="Accounts"
        list={accounts}
        rowId={({ account_id }) => account_id}
        columns={[
          { title: 'Name', cell: ({ name }) => <strong>{name}</strong>, width: '1.5fr' },
          { title: 'Id', cell: ({ account_id }) => <code>{account_id}</code>, width: '2fr' },
          { title: 'Status', cell: ({ status }) => <Status status={status} />, width: '0.7fr' },
          { title: 'Live balance', cell: ({ balance_usd }) => `$${balance_usd}`, align: 'end', width: '0.7fr' },
          { title: 'Failed in 24 h', cell: failuresOf, width: '1.2fr' },
          {
            title: 'Do',
            cell: (account) => <Actions account={account} onChosen={(what) => setDoing({ what, account })} />,
            align: 'end',
            width: '11rem',
          },
          { title: 'Open', cell: (account) => <Open account={account} />, align: 'end', width: '9rem' },
        ]}
        empty={
          <EmptyState title="No accounts yet">
            <p>An account is a platform that embeds the phone service. On the server, a command makes one too:</p>
            <Code
              label="The command that makes an account"
              text={'npx dialplane accounts create "Copper State Apps"'}
            />
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

/** What needs a look, in words; a dash where nothing does. */
function failuresOf({ failed_texts, failed_calls, failing_endpoints }: AccountStanding): string {
  const parts = [
    [failed_texts, failed_texts === 1 ? 'text' : 'texts'],
    [failed_calls, failed_calls === 1 ? 'call' : 'calls'],
    [failing_endpoints, failing_endpoints === 1 ? 'endpoint' : 'endpoints'],
  ] as const;
  const failed = parts.filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}`);
  return failed.length === 0 ? '–' : failed.join(', ');
}

type ActionsProps = { account: AccountStanding; onChosen: (what: Doing['what']) => void };

function Actions({ account: { name, status }, onChosen }: ActionsProps) {
  return (
    <Row>
      <Button small aria-label={`Credit ${name}`} onPress={() => onChosen('credit')}>
        Credit
      </Button>
      {status === 'active' ? (
        <Button small kind="danger" aria-label={`Suspend ${name}`} onPress={() => onChosen('suspend')}>
          Suspend
        </Button>
      ) : (
        <Button small aria-label={`Resume ${name}`} onPress={() => onChosen('resume')}>
          Resume
        </Button>
      )}
    </Row>
  );
}

function Open({ account: { account_id: accountId, name } }: { account: AccountStanding }) {
  return (
    <Row>
      <ButtonLink small to={ledgerPath({ accountId, mode: 'test' })} label={`Test mode of ${name}`}>
        Test
      </ButtonLink>
      <ButtonLink small to={ledgerPath({ accountId, mode: 'live' })} label={`Live mode of ${name}`}>
        Live
      </ButtonLink>
    </Row>
  );
}
