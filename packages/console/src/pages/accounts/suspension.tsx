import type { AccountStanding } from '../../api/generated/operator-types.ts';
import { setSuspended } from '../../api/operator.ts';
import { useOperatorWrite } from '../../api/operator-queries.ts';
import { Confirm } from '../../ui/dialog.tsx';

/** Suspends an active account, and resumes one that is suspended. */
export function Suspension({ account, onClose }: { account: AccountStanding; onClose: () => void }) {
  const isActive = account.status === 'active';
  const verb = isActive ? 'Suspend' : 'Resume';
  const set = useOperatorWrite(setSuspended, {
    changes: ['accounts'],
    done: `${account.name} is ${isActive ? 'suspended' : 'active'}.`,
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
      {isActive ? (
        <p>
          Within 5 seconds all API requests of the account are refused, in both modes. Inbound texts are still stored,
          and calls that run go on.
        </p>
      ) : (
        <p>Within 5 seconds the account's keys work again, in both modes.</p>
      )}
    </Confirm>
  );
}
