import { type Conversation, DialplaneError } from '@dialplane/sdk/resources';
import { useRead, useWrite } from '../../api/queries.ts';
import { AskedButton } from '../../app/asked-button.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { findOptOut, isLiftable } from '../opt-outs/sources.ts';
import css from './inbox.module.css';

const CHANGES = ['opt_outs', 'conversations'];

/** Whether the person gets texts of the tenant, and how that changes. */
export function OptOutState({ conversation }: { conversation: Conversation }) {
  return (
    <section aria-label="Opt-out" className={css.factList}>
      {conversation.opted_out ? <OptedOut conversation={conversation} /> : <OptOutButton conversation={conversation} />}
    </section>
  );
}

/** Offers to lift the opt-out only if the API may: that of a STOP ends by the person's own START alone. */
function OptedOut({ conversation: { tenant_id, external_number } }: { conversation: Conversation }) {
  const { data: optOut, error } = useRead(['opt_outs', 'of', tenant_id, external_number], (api) =>
    findOptOut(api, tenant_id, external_number),
  );
  const lift = useWrite((api) => api.optOuts.remove(external_number, { tenant_id }), {
    changes: CHANGES,
    done: 'The person gets texts again.',
  });
  const isRefused = DialplaneError.is(lift.error) && lift.error.code === 'opt_out_not_removable';
  const needsStart = isRefused || (optOut !== undefined && optOut !== null && !isLiftable(optOut));
  return (
    <>
      <p>
        <Badge tone="bad">opted out</Badge> This tenant’s texts to the person are refused.
      </p>
      <ErrorNote error={error} />
      {needsStart && (
        <p>
          The person opted out by text, on a call, on a page or at the carrier, so nobody else can allow texts again.{' '}
          <strong>The person must text START</strong> to a number of this tenant.
        </p>
      )}
      {optOut !== undefined && !needsStart && (
        <>
          <ErrorNote error={lift.error} />
          <Button isPending={lift.isPending} onPress={() => lift.mutate(undefined)}>
            Allow texts again
          </Button>
        </>
      )}
    </>
  );
}

function OptOutButton({ conversation: { tenant_id, external_number } }: { conversation: Conversation }) {
  return (
    <AskedButton
      label="Opt out"
      title="Opt this person out?"
      run={(api) => api.optOuts.create({ tenant_id, external_number })}
      changes={CHANGES}
      done="The person gets no more texts of this tenant."
    >
      All texts of this tenant to {formatNumber(external_number)} are refused, from all its numbers. You can allow them
      again.
    </AskedButton>
  );
}
