import type { DialplaneError } from '@dialplane/sdk/resources';
import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

type Write<Input, Output> = Pick<
  UseMutationResult<Output, DialplaneError, Input>,
  'mutate' | 'reset' | 'data' | 'error' | 'isPending' | 'isSuccess' | 'variables'
>;

type Options<Input, Output> = UseMutationOptions<Output, DialplaneError, Input> & {
  /** True if it may start again while it runs. */
  readonly isRepeatable?: boolean;
};

/**
 * A write that runs once at a time: until it has ended, `mutate` does nothing. A button shows that it is pending only
 * after the next render, and the second click of a double-click may come before that.
 */
export function useSingleWrite<Input, Output>({
  isRepeatable = false,
  ...options
}: Options<Input, Output>): Write<Input, Output> {
  const { mutateAsync, reset, data, error, isPending, isSuccess, variables } = useMutation(options);
  const running = useRef<Promise<void>>(undefined);
  const mutate: Write<Input, Output>['mutate'] = useCallback(
    (...args) => {
      if (running.current !== undefined && !isRepeatable) return;
      const end = () => {
        if (running.current === run) running.current = undefined;
      };
      // The error is in `error`, and the page shows it.
      const run: Promise<void> = mutateAsync(...args).then(end, end);
      running.current = run;
    },
    [mutateAsync, isRepeatable],
  );
  const start = useCallback(() => {
    running.current = undefined;
    reset();
  }, [reset]);
  return { mutate, reset: start, data, error, isPending, isSuccess, variables };
}
