import { Link } from '@tanstack/react-router';
import type { Mode } from '../api/client.ts';
import { classes } from '../lib/classes.ts';
import { texts } from '../texts/app.ts';
import css from './mode.module.css';

const t = texts.mode;

/** Says which mode the page shows, in words and colour, and leads to the other one. */
export function ModeMark({ mode, accountId }: { mode: Mode; accountId: string }) {
  return (
    <nav aria-label={t.mode} className={css.modes}>
      {(['test', 'live'] as const).map((each) => (
        <Link
          key={each}
          to={`/${each}/${accountId}`}
          className={classes(css.mode, css[each], each === mode && css.chosen)}
          aria-current={each === mode ? 'true' : undefined}
        >
          {each === 'test' ? t.test : t.live}
        </Link>
      ))}
    </nav>
  );
}
