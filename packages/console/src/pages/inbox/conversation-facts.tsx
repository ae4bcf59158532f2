import type { Conversation } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import { PhoneCall } from 'lucide-react';
import { useState } from 'react';
import { ContactLink } from '../../app/contact-link.tsx';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { useNumber } from '../../app/number-field.tsx';
import { TenantName } from '../../app/tenant-field.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/inbox.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/code.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Facts } from '../../ui/page.tsx';
import { ConversationWork } from './conversation-work.tsx';
import css from './inbox.module.css';
import { OptOutState } from './opt-out-state.tsx';
import { PlaceCall } from './place-call.tsx';

const t = texts.conversationFacts;

/** The facts of a conversation, except its texts, and the actions for the person. */
export function ConversationFacts({ conversation }: { conversation: Conversation }) {
  const ledger = useLedger();
  const { id, tenant_id, phone_number_id, external_number, last_activity_at } = conversation;
  const { data: number } = useNumber(phone_number_id);
  const [isCalling, setCalling] = useState(false);
  return (
    <div className={css.factList}>
      <Button onPress={() => setCalling(true)}>
        <PhoneCall aria-hidden /> {t.call}
      </Button>
      <ConversationWork conversation={conversation} />
      <Facts
        facts={[
          [t.person, formatNumber(external_number)],
          [t.contact, <ContactLink key="contact" tenantId={tenant_id} number={external_number} />],
          [
            t.tenant,
            <Link key="tenant" to={ledgerPath(ledger, `tenants/${tenant_id}`)}>
              <TenantName id={tenant_id} />
            </Link>,
          ],
          [
            t.yourNumber,
            <Link key="number" to={ledgerPath(ledger, `numbers/${phone_number_id}`)}>
              {number === undefined ? phone_number_id : formatNumber(number.phone_number)}
            </Link>,
          ],
          [
            t.campaign,
            number === undefined ? (
              '…'
            ) : number.messaging_ready ? (
              t.readyForTexts
            ) : ledger.mode === 'test' && number.campaign_id === null ? (
              t.noneNoneNeeded
            ) : (
              <Badge key="ready" tone="warn">
                {t.notReady}
              </Badge>
            ),
          ],
          [t.latestActivity, <Moment key="latest" at={last_activity_at} tenantId={tenant_id} format="long" />],
          [
            t.id,
            <span key="id">
              <code>{id}</code> <CopyButton text={id} label={t.copyTheId} />
            </span>,
          ],
        ]}
      />
      <OptOutState conversation={conversation} />
      <PlaceCall
        ends={{ from: phone_number_id, to: external_number }}
        isOpen={isCalling}
        onClose={() => setCalling(false)}
      />
    </div>
  );
}
