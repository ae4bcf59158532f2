import { useBlocker } from '@tanstack/react-router';
import { texts } from '../texts/ui.ts';
import { Confirm } from './dialog.tsx';

const t = texts.leaveQuestion;

/** Asks for a confirmation before the person leaves the page and loses input. */
export function LeaveQuestion({ isChanged }: { isChanged: boolean }) {
  const blocker = useBlocker({ shouldBlockFn: () => isChanged, enableBeforeUnload: isChanged, withResolver: true });
  return (
    <Confirm
      title={t.leaveWithoutSaving}
      isOpen={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      confirm={t.leave}
      onConfirm={() => blocker.proceed?.()}
      isPending={false}
    >
      {t.whatYouHave}
    </Confirm>
  );
}
