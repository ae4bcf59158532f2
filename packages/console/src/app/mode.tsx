import { Link } from '@tanstack/react-router';
import type { Mode } from '../api/client.ts';
import { classes } from '../lib/classes.ts';
import { texts } from '../texts/app.ts';
import css from './mode.module.css';

const t = texts.mode;

/** Shows the mode of the page in words and colour, with a link to the other mode. */
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
