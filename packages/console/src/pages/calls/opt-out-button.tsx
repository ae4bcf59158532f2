import type { Call } from '@dialplane/sdk/resources';
import { AskedButton } from '../../app/asked-button.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { otherOf } from './list.tsx';

/** Opts the customer out after a question. Nothing for a caller who hides the number. */
export function OptOutButton({ call }: { call: Call }) {
  const person = otherOf(call);
  if (!person.startsWith('+')) return null;
  return (
    <AskedButton
      label="Opt out"
      title={`Opt ${formatNumber(person)} out?`}
      run={(api) => api.calls.optOut(call.id)}
      changes={['opt_outs', 'conversations']}
      done={`${formatNumber(person)} is opted out.`}
    >
      <p>
        The person gets no more texts of this tenant, and no calls in which its software speaks. Only the person’s own
        START lifts that.
      </p>
    </AskedButton>
  );
}
