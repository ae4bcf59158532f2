import { Check, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from '../lib/classes.ts';
import { texts } from '../texts/parts.ts';
import css from './steps.module.css';

const t = texts.steps;

export type StepState = 'done' | 'current' | 'todo' | 'problem' | 'ended';

export type Step = { readonly title: string; readonly note?: ReactNode; readonly state: StepState };

/** The stages of a long process, and its present stage. */
export function Steps({ label, steps }: { label: string; steps: readonly Step[] }) {
  return (
    <ol className={css.steps} aria-label={label}>
      {steps.map(({ title, note, state }, index) => (
        <li
          key={title}
          className={classes(css.step, css[state])}
          aria-current={state === 'current' || state === 'problem' ? 'step' : undefined}
        >
          <span className={css.mark} aria-hidden>
            <Mark state={state} position={index + 1} />
          </span>
          <div>
            <strong>{title}</strong>
            <span className="visually-hidden">, {t.states[state]}</span>
            {note !== undefined && <p>{note}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Mark({ state, position }: { state: StepState; position: number }) {
  if (state === 'done') return <Check />;
  if (state === 'problem') return <TriangleAlert />;
  if (state === 'ended') return <X />;
  return position;
}
