import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import type { ConnectionFinding } from '../../api/generated/operator-types.ts';
import { checkConnection } from '../../api/installation.ts';
import { useOperatorWrite } from '../../api/operator-queries.ts';
import { classes } from '../../lib/classes.ts';
import { texts } from '../../texts/connections.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card, Section } from '../../ui/page.tsx';
import css from './connections.module.css';

const t = texts.check;

const LOOKS = {
  good: { icon: CircleCheck, word: t.good },
  note: { icon: TriangleAlert, word: t.note },
  bad: { icon: CircleX, word: t.bad },
} as const;

/** Asks the carrier whether the connection works, and shows each question with its answer and remedy. */
export function Check({ id }: { id: string }) {
  const check = useOperatorWrite(() => checkConnection(id), { changes: [] });
  return (
    <Section
      title={t.check}
      actions={
        <Button isPending={check.isPending} onPress={() => check.mutate(undefined)}>
          {check.isPending ? t.askingTheCarrier : t.checkTheConnection}
        </Button>
      }
    >
      <ErrorNote error={check.error} />
      {check.data === undefined ? <p className={css.dim}>{t.checkAsksCarrier}</p> : <Findings findings={check.data} />}
    </Section>
  );
}

function Findings({ findings }: { findings: readonly ConnectionFinding[] }) {
  if (findings.length === 0) return <p role="status">{t.kindCarrierNothing}</p>;
  const bad = findings.filter(({ state }) => state === 'bad').length;
  return (
    <Card>
      <p role="status">
        <strong>{bad === 0 ? t.theConnectionWorks : t.answersBad(bad, findings.length)}</strong>
      </p>
      <ul className={css.findings} aria-label={t.findings}>
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
