import type { PhoneNumber } from '@dialplane/sdk/resources';
import { useWrite } from '../../api/queries.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { Confirm } from '../../ui/dialog.tsx';

type ReleaseNumberProps = { number: PhoneNumber; isOpen: boolean; onClose: () => void };

/** Asks before a number is given back to the carrier. */
export function ReleaseNumber({ number, isOpen, onClose }: ReleaseNumberProps) {
  const name = formatNumber(number.phone_number);
  const release = useWrite((api) => api.phoneNumbers.release(number.id), {
    changes: ['phone_numbers'],
    done: `${name} is released.`,
    onDone: onClose,
  });
  return (
    <Confirm
      title={`Release ${name}?`}
      isOpen={isOpen}
      onClose={onClose}
      confirm="Release the number"
      onConfirm={() => release.mutate(undefined)}
      isPending={release.isPending}
      error={release.error}
    >
      <p>
        It goes back to the carrier, and somebody else may get it next: this cannot be undone. Calls and texts to it
        reach the tenant no more, and scheduled texts from it fail. Its conversations stay readable.
      </p>
    </Confirm>
  );
}
