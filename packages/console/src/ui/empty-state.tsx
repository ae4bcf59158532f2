import type { ReactNode } from 'react';
import css from './note.module.css';

type EmptyStateProps = {
  title: string;
  /** What this place will show, and how it is filled. */
  children: ReactNode;
  /** A button that makes the first thing, if the head of the page has no such button. */
  action?: ReactNode;
  /** The API request with the same effect: a {@link Curl}. */
  curl?: ReactNode;
};

/** Shown in place of an empty list. Explains how to fill the list. */
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
