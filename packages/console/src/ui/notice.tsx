import type { ReactNode } from 'react';
import { classes } from '../lib/classes.ts';
import { texts } from '../texts/ui.ts';
import css from './notice.module.css';

const t = texts.notice;

type NoticeProps = { tone?: 'info' | 'ok' | 'warn' | 'bad'; title: string; children?: ReactNode; action?: ReactNode };

/** Something that the person should know here, such as why a campaign was rejected, and the next step. */
export function Notice({ tone = 'info', title, children, action }: NoticeProps) {
  return (
    <section className={classes(css.notice, css[tone])} aria-label={title}>
      <div>
        <h2>{title}</h2>
        {children}
      </div>
      {action}
    </section>
  );
}

/** Controls that exist only in test mode, separate from a customer's data. */
export function TestControl({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.test} aria-label={t.testControlOf(title)}>
      <h2>
        <span className={css.mark}>{t.testControl}</span> {title}
      </h2>
      {children}
    </section>
  );
}
