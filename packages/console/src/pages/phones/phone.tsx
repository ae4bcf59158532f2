import type { PhoneNumber } from '@dialplane/sdk/resources';
import { Smartphone, Volume2, X } from 'lucide-react';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/phones.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { CallPanel } from './call-panel.tsx';
import { Composer } from './composer.tsx';
import { useContact } from './contact.ts';
import type { Desk } from './desk.ts';
import css from './phones.module.css';
import { Thread } from './thread.tsx';

const t = texts.phone;

type PhoneProps = {
  desk: Desk;
  number: string;
  /** The tenants' numbers that this phone can text and call. */
  contacts: readonly PhoneNumber[];
  onRemove: () => void;
};

/** One phone: its call, its texts with one number, and a field for a text. */
export function Phone({ desk, number, contacts, onRemove }: PhoneProps) {
  const [contact, keep] = useContact(number, contacts);
  const tenantId = contacts.find(({ phone_number }) => phone_number === contact)?.tenant_id;
  const shown = formatNumber(number);
  return (
    <section aria-label={t.phone(shown)} className={css.phone}>
      <header className={css.head}>
        <Smartphone aria-hidden />
        <h2>{shown}</h2>
        {desk.lines.here === number && (
          <Badge tone="info">
            <Volume2 aria-hidden /> {t.you}
          </Badge>
        )}
        <span className={css.space} />
        <IconButton label={t.removeThePhone(shown)} small onPress={onRemove}>
          <X />
        </IconButton>
      </header>
      <Select
        label={t.with}
        options={contacts.map(({ phone_number: id }) => ({ id, text: formatNumber(id) }))}
        value={contact ?? null}
        onChange={keep}
      />
      <CallPanel desk={desk} number={number} contact={contact} onUse={keep} />
      {contact !== undefined && (
        <>
          <Thread number={number} contact={contact} tenantId={tenantId} />
          <Composer number={number} contact={contact} onUse={() => keep(contact)} />
        </>
      )}
    </section>
  );
}
