import { ListFilter } from 'lucide-react';
import { Children, type ReactNode, useId, useState } from 'react';
import { classes } from '../lib/classes.ts';
import { texts } from '../texts/ui.ts';
import { Button } from './button.tsx';
import css from './filter-bar.module.css';

const t = texts.filterBar;

/** On a narrow screen, more fields than these would push the list out of view, so a button shows them. */
const NARROW_MAX = 2;

/** Fields above a list that narrow it. */
export function FilterBar({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (Children.count(children) <= NARROW_MAX) {
    return (
      <search className={css.bar} aria-label={t.filters}>
        {children}
      </search>
    );
  }
  return (
    <search aria-label={t.filters}>
      <div className={css.toggle}>
        <Button aria-expanded={isOpen} aria-controls={id} onPress={() => setOpen(!isOpen)}>
          <ListFilter aria-hidden /> {t.filters}
        </Button>
      </div>
      <div id={id} className={classes(css.bar, !isOpen && css.closed)}>
        {children}
      </div>
    </search>
  );
}
