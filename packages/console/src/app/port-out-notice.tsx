import { formatNumber } from '../lib/numbers.ts';
import { texts } from '../texts/parts.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Moment } from '../ui/moment.tsx';
import { Notice } from '../ui/notice.tsx';
import { rich } from '../ui/rich.tsx';
import { ledgerPath, useLedger } from './ledger.ts';
import { useNumber } from './number-field.tsx';

const t = texts.portOutNotice;

type PortOutNoticeProps = {
  numberId: string;
  tenantId: string | null;
  carrier: string | null;
  since: string;
  isLinked: boolean;
};

/**
 * Names the number that another carrier has requested, and the next step. Shows nothing once the number is released.
 */
export function PortOutNotice({ numberId, tenantId, carrier, since, isLinked }: PortOutNoticeProps) {
  const ledger = useLedger();
  const { data: number } = useNumber(numberId);
  if (number === undefined || number.status === 'released') return null;
  return (
    <Notice
      tone="bad"
      title={t.anotherCarrierAsks(formatNumber(number.phone_number))}
      action={isLinked && <ButtonLink to={ledgerPath(ledger, `numbers/${numberId}`)}>{t.openTheNumber}</ButtonLink>}
    >
      <p>
        {rich(t.askedSinceWhen, carrier ?? t.carrierNotNamed, <Moment at={since} tenantId={tenantId} format="long" />)}
      </p>
      <p>{t.ifTenantNot}</p>
    </Notice>
  );
}
