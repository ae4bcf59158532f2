import type { ReactNode } from 'react';
import css from './note.module.css';

type EmptyStateProps = {
  title: string;
  /** What belongs here, and how it gets here. */
  children: ReactNode;
  /** A button that makes the first one, on a page whose head does not have it. */
  action?: ReactNode;
  /** The same by the API: a {@link Curl}. */
  curl?: ReactNode;
};

/** Shown in place of an empty list. It teaches how to fill the list. */
export function EmptyState({ title, children, action, curl }: EmptyStateProps) {
  return (
    <div className={css.empty}>
      <h2>{title}</h2>
      <div>{children}</div>
      {action}
      {curl}
    </div>
  );
}
