import type { AccountStanding } from '../../api/generated/operator-types.ts';
import { setSuspended } from '../../api/operator.ts';
import { useOperatorWrite } from '../../api/operator-queries.ts';
import { texts } from '../../texts/accounts.ts';
import { Confirm } from '../../ui/dialog.tsx';

const t = texts.suspension;

/** Suspends an active account, and resumes a suspended account. */
export function Suspension({ account, onClose }: { account: AccountStanding; onClose: () => void }) {
  const isActive = account.status === 'active';
  const verb = isActive ? t.suspend : t.resume;
  const set = useOperatorWrite(setSuspended, {
    changes: ['accounts'],
    done: isActive ? t.isSuspended(account.name) : t.isActive(account.name),
    onDone: onClose,
  });
  return (
    <Confirm
      title={`${verb} ${account.name}?`}
      isOpen
      onClose={onClose}
      confirm={verb}
      onConfirm={() => set.mutate({ id: account.account_id, isSuspended: isActive })}
      isPending={set.isPending}
      error={set.error}
    >
      {isActive ? <p>{t.within5Seconds}</p> : <p>{t.within5SecondsAccounts}</p>}
    </Confirm>
  );
}
