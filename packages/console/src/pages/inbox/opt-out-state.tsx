import { type Conversation, DialplaneError } from '@dialplane/sdk/resources';
import { useRead, useWrite } from '../../api/queries.ts';
import { AskedButton } from '../../app/asked-button.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/inbox.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { rich } from '../../ui/rich.tsx';
import { findOptOut, isLiftable } from '../opt-outs/sources.ts';
import css from './inbox.module.css';

const t = texts.optOutState;

const CHANGES = ['opt_outs', 'conversations'];

/** Whether the person gets texts of the tenant, and the actions that change this. */
export function OptOutState({ conversation }: { conversation: Conversation }) {
  return (
    <section aria-label={t.optOut} className={css.factList}>
      {conversation.opted_out ? <OptedOut conversation={conversation} /> : <OptOutButton conversation={conversation} />}
    </section>
  );
}

/** Offers to lift the opt-out only if the API may lift it. An opt-out by STOP ends only by the person's own START. */
function OptedOut({ conversation: { tenant_id, external_number } }: { conversation: Conversation }) {
  const { data: optOut, error } = useRead(['opt_outs', 'of', tenant_id, external_number], (api) =>
    findOptOut(api, tenant_id, external_number),
  );
  const lift = useWrite((api) => api.optOuts.remove(external_number, { tenant_id }), {
    changes: CHANGES,
    done: t.personGetsTexts,
  });
  const isRefused = DialplaneError.is(lift.error) && lift.error.code === 'opt_out_not_removable';
  const needsStart = isRefused || (optOut !== undefined && optOut !== null && !isLiftable(optOut));
  return (
    <>
      <p>
        {rich(t.optedOutTenants, (words) => (
          <Badge tone="bad">{words}</Badge>
        ))}
      </p>
      <ErrorNote error={error} />
      {needsStart && (
        <p>
          {rich(t.personOptedOut, (words) => (
            <strong>{words}</strong>
          ))}
        </p>
      )}
      {optOut !== undefined && !needsStart && (
        <>
          <ErrorNote error={lift.error} />
          <Button isPending={lift.isPending} onPress={() => lift.mutate(undefined)}>
            {t.allowTextsAgain}
          </Button>
        </>
      )}
    </>
  );
}

function OptOutButton({ conversation: { tenant_id, external_number } }: { conversation: Conversation }) {
  return (
    <AskedButton
      label={t.optOutText}
      title={t.optPersonOut}
      run={(api) => api.optOuts.create({ tenant_id, external_number })}
      changes={CHANGES}
      done={t.personGetsNo}
    >
      {t.allTextsTenant(formatNumber(external_number))}
    </AskedButton>
  );
}
