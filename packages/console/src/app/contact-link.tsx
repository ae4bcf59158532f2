import { Link } from '@tanstack/react-router';
import { useContactOf } from '../api/contact-names.ts';
import { texts } from '../texts/parts.ts';
import { ledgerPath, useLedger } from './ledger.ts';

const t = texts.contactLink;

/** Opens the contact with a number. If there is none, offers to create it. */
export function ContactLink({ tenantId, number }: { tenantId: string; number: string }) {
  const ledger = useLedger();
  const contact = useContactOf(tenantId, number);
  if (contact === undefined) return <span>…</span>;
  if (contact !== null) {
    return (
      <Link to={ledgerPath(ledger, `contacts/${contact.id}`)} dir="auto">
        {contact.company === null ? contact.name : `${contact.name}, ${contact.company}`}
      </Link>
    );
  }
  return (
    <Link to={ledgerPath(ledger, 'contacts')} search={{ tenant_id: tenantId, new: number } as never}>
      {t.makeAContact}
    </Link>
  );
}
