import { Plus } from 'lucide-react';
import { useState } from 'react';
import { listAccounts } from '../../api/operator.ts';
import { useOperatorList } from '../../api/operator-queries.ts';
import { ledgerPath } from '../../app/ledger.ts';
import { Status } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page, Row } from '../../ui/page.tsx';
import { CreateAccount } from './create-account.tsx';

/** The accounts of the installation. An operator opens any of them, in both modes. */
export function AccountsPage() {
  const [isCreating, setCreating] = useState(false);
  const accounts = useOperatorList(['accounts'], listAccounts);
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
        rowId={({ id }) => id}
        columns={[
          { title: 'Name', cell: ({ name }) => <strong>{name}</strong>, width: '1.5fr' },
          { title: 'Id', cell: ({ id }) => <code>{id}</code>, width: '2fr' },
          { title: 'Status', cell: ({ status }) => <Status status={status} />, width: '0.7fr' },
          { title: 'Made', cell: ({ created_at }) => <Moment at={created_at} />, width: '0.8fr' },
          { title: 'Open', cell: ({ id, name }) => <Open id={id} name={name} />, align: 'end', width: '9rem' },
        ]}
        empty={
          <EmptyState title="No accounts yet" action={create}>
            <p>An account is a platform that embeds the phone service. On the server, a command makes one too:</p>
            <Code
              label="The command that makes an account"
              text={'npx dialplane accounts create "Copper State Apps"'}
            />
          </EmptyState>
        }
      />
      {isCreating && <CreateAccount onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Open({ id: accountId, name }: { id: string; name: string }) {
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
