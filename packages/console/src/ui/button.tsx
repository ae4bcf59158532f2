import { Link as RouterLink } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { classes } from '../lib/classes.ts';
import css from './button.module.css';

export type Kind = 'primary' | 'plain' | 'danger' | 'quiet';

type ButtonProps = Omit<AriaButtonProps, 'className'> & { kind?: Kind; small?: boolean };

/** A button. While `isPending` it stays visible and cannot be pressed again. */
export function Button({ kind = 'plain', small = false, ...props }: ButtonProps) {
  return <AriaButton {...props} className={classes(css.button, css[kind], small && css.small)} />;
}

type IconButtonProps = Omit<ButtonProps, 'children'> & { label: string; children: ReactNode };

/** A button that shows only an icon. `label` is its name. */
export function IconButton({ label, kind = 'quiet', small = false, ...props }: IconButtonProps) {
  return (
    <AriaButton
      {...props}
      aria-label={label}
      className={classes(css.button, css[kind], css.icon, small && css.small)}
    />
  );
}

type ButtonLinkProps = {
  to: string;
  /** The query of the address, such as `{ from: 'brd_1' }`. */
  search?: Readonly<Record<string, string>>;
  kind?: Kind;
  small?: boolean;
  /** The name for screen readers, if the text alone does not name the target. It begins with the text. */
  label?: string;
  children: ReactNode;
};

/** A link that looks like a button. */
export function ButtonLink({ to, search = {}, kind = 'plain', small = false, label, children }: ButtonLinkProps) {
  return (
    <RouterLink
      to={to}
      search={search as never}
      aria-label={label}
      className={classes(css.button, css[kind], small && css.small)}
    >
      {children}
    </RouterLink>
  );
}
