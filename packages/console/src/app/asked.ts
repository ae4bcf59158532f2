import { useEffect } from 'react';
import { useFilters } from './filters.ts';

/**
 * Calls `act` with a value of the address that asks the page for something, such as `?new=tenant`, and takes it out of
 * the address, so that a reload does not ask again.
 */
export function useAsked(name: string, act: (value: string) => void): void {
  const [filters, setFilters] = useFilters();
  const value = filters[name];
  // biome-ignore lint/correctness/useExhaustiveDependencies: one act for each value, also if the page is drawn again
  useEffect(() => {
    if (value === undefined) return;
    act(value);
    setFilters({ [name]: undefined });
  }, [value]);
}
