import { useNavigate, useSearch } from '@tanstack/react-router';

export type Filters = Readonly<Record<string, string | undefined>>;

/** Returns the filters in the page's address, and a function that changes some of them. So a link keeps the filters. */
export function useFilters(): [Filters, (change: Filters) => void] {
  const filters = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const change = (changed: Filters) =>
    void navigate({ to: '.', search: (before: Filters) => ({ ...before, ...changed }), replace: true } as never);
  return [filters, change];
}
