import { type ReactNode, useState } from 'react';
import type { Api } from '../api/client.ts';
import { useWrite, type WriteOptions } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';

export type AskedButtonProps = Pick<WriteOptions<undefined, unknown>, 'changes' | 'onDone'> & {
  /** The label of both buttons, such as "Opt out". */
  label: string;
  /** The question. */
  title: string;
  /** The message after success. */
  done: string;
  /** The consequences of the action. */
  children: ReactNode;
  run: (api: Api) => Promise<unknown>;
  kind?: 'plain' | 'danger';
  small?: boolean;
};

/** A button that acts after a confirmation. The confirmation closes after success. */
export function AskedButton({ label, title, children, run, kind, small, ...options }: AskedButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const write = useWrite<undefined, unknown>(run, {
    ...options,
    onDone: async (...result) => {
      setAsking(false);
      await options.onDone?.(...result);
    },
  });
  return (
    <>
      <Button {...(kind && { kind })} {...(small && { small })} onPress={() => setAsking(true)}>
        {label}
      </Button>
      <Confirm
        title={title}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirm={label}
        onConfirm={() => write.mutate(undefined)}
        isPending={write.isPending}
        error={write.error}
      >
        {children}
      </Confirm>
    </>
  );
}
