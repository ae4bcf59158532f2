import type { ReactNode } from 'react';
import css from './note.module.css';

type EmptyStateProps = {
  title: string;
  /** The things that this place will show, and how they get here. */
  children: ReactNode;
  /** A button that makes the first thing, on a page whose head does not have this button. */
  action?: ReactNode;
  /** The request of the API with the same effect: a {@link Curl}. */
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
