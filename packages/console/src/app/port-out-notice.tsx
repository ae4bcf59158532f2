import { formatNumber } from '../lib/numbers.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Moment } from '../ui/moment.tsx';
import { Notice } from '../ui/notice.tsx';
import { ledgerPath, useLedger } from './ledger.ts';
import { useNumber } from './number-field.tsx';

type PortOutNoticeProps = {
  numberId: string;
  tenantId: string | null;
  carrier: string | null;
  since: string;
  isLinked: boolean;
};

/** Says which number another carrier asks for, and what to do. Nothing once the number is released. */
export function PortOutNotice({ numberId, tenantId, carrier, since, isLinked }: PortOutNoticeProps) {
  const ledger = useLedger();
  const { data: number } = useNumber(numberId);
  if (number === undefined || number.status === 'released') return null;
  return (
    <Notice
      tone="bad"
      title={`Another carrier asks for ${formatNumber(number.phone_number)}`}
      action={isLinked && <ButtonLink to={ledgerPath(ledger, `numbers/${numberId}`)}>Open the number</ButtonLink>}
    >
      <p>
        {carrier ?? 'A carrier that is not named'} has asked for it since{' '}
        <Moment at={since} tenantId={tenantId} format="long" />. When the request is carried out, the number leaves,
        with its texts and calls.
      </p>
      <p>If its tenant has not ordered that, have your carrier refuse the request now.</p>
    </Notice>
  );
}
