import type { ReactNode } from 'react';
import type { Queue, WorkFigures } from '../../api/installation.ts';
import { formatCount } from '../../lib/amounts.ts';
import { classes } from '../../lib/classes.ts';
import { texts } from '../../texts/queues.ts';
import css from './queues.module.css';

const t = texts.figures;

export const QUEUE_NAMES: Readonly<Record<Queue, string>> = {
  messaging: t.texts,
  voice: t.calls,
  audio: t.audio,
  default: t.everythingElse,
};
export const QUEUES = Object.keys(QUEUE_NAMES) as readonly Queue[];

/** Work that has been due for more seconds than this is late. */
export const BUSY_S = 5;
/** If work has been due for longer, workers are missing or stuck. */
export const STUCK_S = 60;

export type AgeTone = 'ok' | 'warn' | 'bad';

export function ageTone(seconds: number): AgeTone {
  if (seconds > STUCK_S) return 'bad';
  return seconds > BUSY_S ? 'warn' : 'ok';
}

/** A value in the colour of its meaning. */
export function Mark({ tone, children }: { tone: AgeTone; children: ReactNode }) {
  return <span className={classes(css.mark, css[tone])}>{children}</span>;
}

/** Returns how many jobs are in a queue, by state. Leaves out empty states. */
export function depthOf({ due, running, failed, waiting, isPartial }: ReturnType<typeof sumOf>): string {
  const parts = [
    [due, t.due],
    [running, t.running],
    [failed, t.failed],
    [waiting, isPartial ? t.orMoreLater : t.later],
  ] as const;
  const given = parts.filter(([count]) => count > 0).map(([count, state]) => `${formatCount(count)} ${state}`);
  return given.length === 0 ? t.nothingWaits : given.join(', ');
}

/** Adds up the figures of several kinds. */
export function sumOf(rows: readonly WorkFigures[]) {
  const total = (of: (row: WorkFigures) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  return {
    due: total(({ due }) => due),
    running: total(({ running }) => running),
    failed: total(({ failed }) => failed),
    waiting: total(({ waiting }) => waiting),
    oldest: Math.max(0, ...rows.map(({ oldest_due_seconds }) => oldest_due_seconds)),
    isPartial: rows.some(({ is_partial }) => is_partial),
  };
}
