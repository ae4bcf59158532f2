import { useState } from 'react';
import { useRead, useWrite } from '../api/queries.ts';
import { texts } from '../texts/parts.ts';
import { Button, type Kind } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Switch, TextField } from '../ui/field.tsx';
import { TestControl } from '../ui/notice.tsx';
import { Row } from '../ui/page.tsx';
import { useLedger } from './ledger.ts';

const t = texts.reviews;

type Result = { readonly id: string; readonly title: string; readonly kind?: Kind };

type ReviewProps = {
  /** The name of the decision, such as "Decide about the campaign". */
  title: string;
  /** The decisions that are possible now. */
  results: readonly Result[];
  /** The label of the text that comes with a decision, such as "Reason of a rejection". */
  reasonLabel: string;
  onDecide: (result: string, reason: string | null) => void;
  isPending: boolean;
  error: unknown;
};

/** Lets the person decide in place of the registry or the carrier. Shows nothing in live mode. */
export function Review({ title, results, reasonLabel, onDecide, isPending, error }: ReviewProps) {
  const { mode } = useLedger();
  const [reason, setReason] = useState('');
  if (mode === 'live') return null;
  const decide = (result: string) => onDecide(result, reason.trim() === '' ? null : reason);
  return (
    <TestControl title={title}>
      {results.length > 0 && (
        <>
          <TextField label={reasonLabel} value={reason} onChange={setReason} maxLength={500} />
          <Row>
            {results.map(({ id, title: text, kind = 'plain' }) => (
              <Button key={id} kind={kind} isPending={isPending} onPress={() => decide(id)}>
                {text}
              </Button>
            ))}
          </Row>
        </>
      )}
      <ErrorNote error={error} />
      <ReviewMode />
    </TestControl>
  );
}

/** Shows whether the test ledger decides automatically or waits for the person. */
function ReviewMode() {
  const { data, error } = useRead(['test_reviews'], (api) => api.test.getReviews());
  const change = useWrite((api, mode: 'auto' | 'manual') => api.test.setReviews({ mode }), {
    changes: ['test_reviews'],
    done: ({ mode }) => (mode === 'manual' ? t.reviewsNowWait : t.reviewsNowDecided),
  });
  return (
    <>
      <Switch
        isSelected={data?.mode === 'manual'}
        isDisabled={data === undefined || change.isPending}
        onChange={(isManual) => change.mutate(isManual ? 'manual' : 'auto')}
      >
        {t.brandsCampaignsPort}
      </Switch>
      <ErrorNote error={error ?? change.error} />
    </>
  );
}
