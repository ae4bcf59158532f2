import { type ReactNode, useEffect } from 'react';
import { classes } from '../lib/classes.ts';
import { texts } from '../texts/ui.ts';
import { arriveAt } from './arrival.ts';
import css from './page.module.css';
import { ThingTools } from './thing-tools.tsx';

const t = texts.page;

type PageProps = {
  title: string;
  /** A sentence about the purpose of the page. */
  about?: ReactNode;
  /** Buttons of the page. */
  actions?: ReactNode;
  /** True for pages that use the whole width and height, such as the inbox. */
  isWide?: boolean;
  children: ReactNode;
};

/** The frame of a page: its heading, which is also the title of the browser's tab, and its actions. */
export function Page({ title, about, actions, isWide = false, children }: PageProps) {
  useTitle(title);
  return (
    <div className={classes(css.page, isWide && css.wide)}>
      <header className={css.head}>
        <div>
          <h1 dir="auto">{title}</h1>
          {about !== undefined && <p className={css.about}>{about}</p>}
          {!isWide && <ThingTools />}
        </div>
        {actions !== undefined && <div className={css.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Sets the title of the browser's tab, and the name of the page for screen readers. For a page with its own frame. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Dialplane`;
    arriveAt(title);
  }, [title]);
}

/** A part of a page with a heading. */
export function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className={css.section} aria-label={title}>
      <header className={css.sectionHead}>
        <h2>{title}</h2>
        {actions !== undefined && <div className={css.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}

/** A raised box. */
export function Card({ children, label }: { children: ReactNode; label?: string }) {
  return label === undefined ? (
    <div className={css.card}>{children}</div>
  ) : (
    <section className={css.card} aria-label={label}>
      {children}
    </section>
  );
}

/** Boxes next to each other, as many as the width of the page allows. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={css.columns}>{children}</div>;
}

/** Things in a row that wraps. */
export function Row({ children }: { children: ReactNode }) {
  return <div className={css.row}>{children}</div>;
}

/** The fields of one thing, as names and values. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={css.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value ?? <span className={css.none}>{t.none}</span>}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A figure with its name, for overviews. */
export function Figure({ name, value, note }: { name: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div className={css.figure}>
      <dt>{name}</dt>
      <dd>{value}</dd>
      {note !== undefined && <dd className={css.note}>{note}</dd>}
    </div>
  );
}

export function Figures({ children }: { children: ReactNode }) {
  return <dl className={css.figures}>{children}</dl>;
}
