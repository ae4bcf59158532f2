import { useEffect } from 'react';
import { useFilters } from './filters.ts';

/**
 * Calls `act` with the value of a query parameter that requests an action of the page, such as `?new=tenant`. Removes
 * the parameter from the address, so that a reload does not repeat the action.
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
