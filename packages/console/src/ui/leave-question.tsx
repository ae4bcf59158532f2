import { useBlocker } from '@tanstack/react-router';
import { Confirm } from './dialog.tsx';

/** Asks before the page is left and the person's input is lost. */
export function LeaveQuestion({ isChanged }: { isChanged: boolean }) {
  const blocker = useBlocker({ shouldBlockFn: () => isChanged, enableBeforeUnload: isChanged, withResolver: true });
  return (
    <Confirm
      title="Leave without saving?"
      isOpen={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      confirm="Leave"
      onConfirm={() => blocker.proceed?.()}
      isPending={false}
    >
      What you have entered on this page is not saved.
    </Confirm>
  );
}
