import { useRef } from 'react';

type Write<Input> = { mutate(input: Input, options: { onSettled: () => void }): void };

/**
 * Returns what starts a write unless it runs already. The second click of a double click may come before the button is
 * drawn as disabled.
 */
export function useSingle<Input>(write: Write<Input>): (input: Input) => void {
  const isRunning = useRef(false);
  return (input) => {
    if (isRunning.current) return;
    isRunning.current = true;
    write.mutate(input, {
      onSettled: () => {
        isRunning.current = false;
      },
    });
  };
}
