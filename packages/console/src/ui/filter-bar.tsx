import type { ReactNode } from 'react';
import css from './filter-bar.module.css';

/** Fields above a list that narrow it. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <search className={css.bar} aria-label="Filters">
      {children}
    </search>
  );
}
