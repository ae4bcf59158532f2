import { type ReactNode, useState } from 'react';
import type { Api } from '../api/client.ts';
import { useWrite, type WriteOptions } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';

type DeleteContentProps = Pick<WriteOptions<undefined, unknown>, 'changes' | 'onDone'> & {
  /** The text of both buttons, such as "Delete the recording". */
  label: string;
  /** What is said when it is done. */
  done: string;
  /** What goes with it, and what stays. */
  children: ReactNode;
  run: (api: Api) => Promise<unknown>;
};

/** A button that deletes content for good, after a question. */
export function DeleteContent({ label, done, children, run, ...options }: DeleteContentProps) {
  const [isAsking, setAsking] = useState(false);
  const remove = useWrite<undefined, unknown>(run, {
    ...options,
    done,
    onDone: async (...result) => {
      setAsking(false);
      await options.onDone?.(...result);
    },
  });
  return (
    <>
      <Button small kind="danger" onPress={() => setAsking(true)}>
        {label}
      </Button>
      <Confirm
        title={`${label}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirm={label}
        onConfirm={() => remove.mutate(undefined)}
        isPending={remove.isPending}
        error={remove.error}
      >
        <p>{children}</p>
        <p>This cannot be undone. The audit log says who did it.</p>
      </Confirm>
    </>
  );
}
