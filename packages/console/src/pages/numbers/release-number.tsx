import type { PhoneNumber } from '@dialplane/sdk/resources';
import { useWrite } from '../../api/queries.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/numbers.ts';
import { Confirm } from '../../ui/dialog.tsx';

const t = texts.releaseNumber;

type ReleaseNumberProps = { number: PhoneNumber; isOpen: boolean; onClose: () => void };

/** Asks for a confirmation before a number is returned to the carrier. */
export function ReleaseNumber({ number, isOpen, onClose }: ReleaseNumberProps) {
  const name = formatNumber(number.phone_number);
  const release = useWrite((api) => api.phoneNumbers.release(number.id), {
    changes: ['phone_numbers'],
    done: t.isReleased(name),
    onDone: onClose,
  });
  return (
    <Confirm
      title={t.release(name)}
      isOpen={isOpen}
      onClose={onClose}
      confirm={t.releaseTheNumber}
      onConfirm={() => release.mutate(undefined)}
      isPending={release.isPending}
      error={release.error}
    >
      <p>{t.goesBackCarrier}</p>
    </Confirm>
  );
}
