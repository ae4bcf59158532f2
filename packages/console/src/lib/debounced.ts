import { useEffect, useState } from 'react';

/** Returns the value as it was when it last stayed the same for some time, so that typing asks the server rarely. */
export function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
