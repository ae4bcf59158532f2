import type { Call } from '@dialplane/sdk/resources';
import { AskedButton } from '../../app/asked-button.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/calls.ts';
import { otherOf } from './list.tsx';

const t = texts.optOutButton;

/** Opts the customer out, after a confirmation. Shows nothing for a caller who hides the number. */
export function OptOutButton({ call }: { call: Call }) {
  const person = otherOf(call);
  if (!person.startsWith('+')) return null;
  return (
    <AskedButton
      label={t.optOut}
      title={t.optOutOf(formatNumber(person))}
      run={(api) => api.calls.optOut(call.id)}
      changes={['opt_outs', 'conversations']}
      done={t.isOptedOut(formatNumber(person))}
    >
      <p>{t.personGetsNo}</p>
    </AskedButton>
  );
}
