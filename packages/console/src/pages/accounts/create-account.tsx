import { useState } from 'react';
import type { Account } from '../../api/generated/operator-types.ts';
import { createAccount, createFirstKeys, type FirstKeys } from '../../api/operator.ts';
import { useOperatorWrite } from '../../api/operator-queries.ts';
import { ledgerPath } from '../../app/ledger.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Row } from '../../ui/page.tsx';

/** Makes an account, then a key of each mode. If the keys fail, the account is there and they are asked for again. */
export function CreateAccount({ onClose }: { onClose: () => void }) {
  const [account, setAccount] = useState<Account>();
  const issue = useOperatorWrite(createFirstKeys, { changes: [] });
  const create = useOperatorWrite(createAccount, {
    changes: ['accounts'],
    onDone: (made) => {
      setAccount(made);
      issue.mutate(made.id);
    },
  });
  if (account === undefined) {
    return (
      <Dialog title="New account" isOpen onClose={onClose} isShownOnce={create.isPending}>
        <Form
          submit="Make the account"
          fields={['name']}
          error={create.error}
          isPending={create.isPending}
          onCancel={onClose}
          onSubmit={({ name = '' }) => create.mutate(name)}
        >
          <TextField
            name="name"
            label="Name"
            isRequired
            autoFocus
            placeholder="Copper State Apps"
            hint="The platform that gets the keys"
          />
        </Form>
      </Dialog>
    );
  }
  return (
    <Dialog title={`Keys of ${account.name}`} isOpen onClose={onClose} isShownOnce={issue.error === null}>
      {issue.data !== undefined && <Keys account={account} keys={issue.data} onClose={onClose} />}
      {issue.isPending && <p role="status">Making the keys…</p>}
      {issue.error !== null && (
        <>
          <p>The account is made, but its keys are not.</p>
          <ErrorNote error={issue.error} />
          <Row>
            <Button kind="primary" onPress={() => issue.mutate(account.id)}>
              Make the keys
            </Button>
          </Row>
        </>
      )}
    </Dialog>
  );
}

type KeysProps = { account: Account; keys: FirstKeys; onClose: () => void };

function Keys({ account: { id: accountId }, keys, onClose }: KeysProps) {
  return (
    <>
      <Notice tone="warn" title="Copy them now: they are not shown again">
        <p>The server keeps only hashes. More keys are made, rotated and revoked on the page “API keys”.</p>
      </Notice>
      <p>The key of test mode, for development:</p>
      <Code label="Test key" text={keys.test} />
      <p>The key of live mode, for real carriers and real people:</p>
      <Code label="Live key" text={keys.live} />
      <Row>
        <Button kind="primary" onPress={onClose}>
          I have stored them
        </Button>
        <ButtonLink to={ledgerPath({ accountId, mode: 'test' })}>Open the account</ButtonLink>
      </Row>
    </>
  );
}
