import { useState } from 'react';
import type { Account } from '../../api/generated/operator-types.ts';
import { createAccount, createFirstKeys, type FirstKeys } from '../../api/operator.ts';
import { useOperatorWrite } from '../../api/operator-queries.ts';
import { ledgerPath } from '../../app/ledger.ts';
import { texts } from '../../texts/accounts.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Row } from '../../ui/page.tsx';

const t = texts.createAccount;

/**
 * Creates an account, then a key of each mode. If the keys fail, the account exists, and the next attempt creates only
 * the keys.
 */
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
      <Dialog title={t.newAccount} isOpen onClose={onClose} isShownOnce={create.isPending}>
        <Form
          submit={t.makeTheAccount}
          fields={['name']}
          error={create.error}
          isPending={create.isPending}
          onCancel={onClose}
          onSubmit={({ name = '' }) => create.mutate(name)}
        >
          <TextField
            name="name"
            label={t.name}
            isRequired
            autoFocus
            placeholder={t.copperStateApps}
            hint={t.platformGetsKeys}
          />
        </Form>
      </Dialog>
    );
  }
  return (
    <Dialog title={t.keysOf(account.name)} isOpen onClose={onClose} isShownOnce={issue.error === null}>
      {issue.data !== undefined && <Keys account={account} keys={issue.data} onClose={onClose} />}
      {issue.isPending && <p role="status">{t.makingTheKeys}</p>}
      {issue.error !== null && (
        <>
          <p>{t.accountMadeBut}</p>
          <ErrorNote error={issue.error} />
          <Row>
            <Button kind="primary" onPress={() => issue.mutate(account.id)}>
              {t.makeTheKeys}
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
      <Notice tone="warn" title={t.copyThemNow}>
        <p>{t.serverKeepsOnly}</p>
      </Notice>
      <p>{t.keyTestMode}</p>
      <Code label={t.testKey} text={keys.test} />
      <p>{t.keyLiveMode}</p>
      <Code label={t.liveKey} text={keys.live} />
      <Row>
        <Button kind="primary" onPress={onClose}>
          {t.iHaveStored}
        </Button>
        <ButtonLink to={ledgerPath({ accountId, mode: 'test' })}>{t.openTheAccount}</ButtonLink>
      </Row>
    </>
  );
}
