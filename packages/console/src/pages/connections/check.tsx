import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import type { ConnectionFinding } from '../../api/generated/operator-types.ts';
import { checkConnection } from '../../api/installation.ts';
import { useOperatorWrite } from '../../api/operator-queries.ts';
import { classes } from '../../lib/classes.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card, Section } from '../../ui/page.tsx';
import css from './connections.module.css';

const LOOKS = {
  good: { icon: CircleCheck, word: 'good' },
  note: { icon: TriangleAlert, word: 'note' },
  bad: { icon: CircleX, word: 'bad' },
} as const;

/** Asks the carrier whether the connection works, and shows each question with its answer and remedy. */
export function Check({ id }: { id: string }) {
  const check = useOperatorWrite(() => checkConnection(id), { changes: [] });
  return (
    <Section
      title="Check"
      actions={
        <Button isPending={check.isPending} onPress={() => check.mutate(undefined)}>
          {check.isPending ? 'Asking the carrier…' : 'Check the connection'}
        </Button>
      }
    >
      <ErrorNote error={check.error} />
      {check.data === undefined ? (
        <p className={css.dim}>
          A check asks the carrier whether the credentials are accepted and reports can arrive. It changes nothing
          there.
        </p>
      ) : (
        <Findings findings={check.data} />
      )}
    </Section>
  );
}

function Findings({ findings }: { findings: readonly ConnectionFinding[] }) {
  if (findings.length === 0) return <p role="status">This kind of carrier has nothing to check.</p>;
  const bad = findings.filter(({ state }) => state === 'bad').length;
  return (
    <Card>
      <p role="status">
        <strong>{bad === 0 ? 'The connection works.' : `${bad} of ${findings.length} answers are bad.`}</strong>
      </p>
      <ul className={css.findings} aria-label="Findings">
        {findings.map(({ check, state, found, advice }) => {
          const { icon: Icon, word } = LOOKS[state];
          return (
            <li key={check}>
              <Icon aria-label={word} className={classes(css.mark, css[state])} />
              <div>
                <strong>{check}</strong> {found}
                {advice !== null && <p className={css.advice}>{advice}</p>}
              </div>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
