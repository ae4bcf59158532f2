import { useCallback, useContext, useEffect, useRef, useState } from 'react';
import { DialogHoldContext } from './dialog-hold.ts';

type Options = {
  error: unknown;
  isPending: boolean;
  /** True if the same form may be sent again. */
  stays: boolean;
  /** True if leaving would lose input. Absent if the page does not know. */
  isChanged?: boolean | undefined;
};

/** Whether a form has unsaved input, and whether it may be sent. A form with unsaved input keeps its window open. */
export function useFormState(options: Options) {
  const { error, isPending, stays } = options;
  const [isTouched, setTouched] = useState(false);
  const sent = useRef({ isShut: false, wasTouched: false });
  const touch = useCallback(() => {
    sent.current.isShut = false;
    setTouched(true);
  }, []);
  useEffect(() => {
    if (error === null || error === undefined) return;
    sent.current.isShut = false;
    if (sent.current.wasTouched) setTouched(true);
  }, [error]);
  /**
   * Returns true if the form may be sent now, and records that it is being sent. A second click may come before the
   * next render, or between the reply and the opening of the new thing's page.
   */
  const send = () => {
    if (isPending || sent.current.isShut) return false;
    sent.current = { isShut: !stays, wasTouched: isTouched };
    setTouched(false);
    return true;
  };
  const isChanged = (options.isChanged ?? isTouched) && !isPending;
  const hold = useContext(DialogHoldContext);
  const isHeld = isChanged || isPending;
  useEffect(() => {
    hold?.(isHeld);
    return () => hold?.(false);
  }, [hold, isHeld]);
  return { isChanged, isOnPage: hold === null, touch, send };
}
