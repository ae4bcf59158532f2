import type { Conversation } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import { PhoneCall } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { useNumber } from '../../app/number-field.tsx';
import { TenantName } from '../../app/tenant-field.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Facts } from '../../ui/page.tsx';
import css from './inbox.module.css';
import { PlaceCall } from './place-call.tsx';

/** What is known of a conversation besides its texts, and what can be done with the person. */
export function ConversationFacts({ conversation }: { conversation: Conversation }) {
  const ledger = useLedger();
  const { id, tenant_id, phone_number_id, external_number, last_activity_at } = conversation;
  const { data: number } = useNumber(phone_number_id);
  const [isCalling, setCalling] = useState(false);
  return (
    <div className={css.factList}>
      <Button onPress={() => setCalling(true)}>
        <PhoneCall aria-hidden /> Call
      </Button>
      <Facts
        facts={[
          ['Person', formatNumber(external_number)],
          [
            'Tenant',
            <Link key="tenant" to={ledgerPath(ledger, `tenants/${tenant_id}`)}>
              <TenantName id={tenant_id} />
            </Link>,
          ],
          [
            'Your number',
            <Link key="number" to={ledgerPath(ledger, `numbers/${phone_number_id}`)}>
              {number === undefined ? phone_number_id : formatNumber(number.phone_number)}
            </Link>,
          ],
          [
            'Campaign',
            number === undefined ? (
              '…'
            ) : number.messaging_ready ? (
              'ready for texts'
            ) : ledger.mode === 'test' && number.campaign_id === null ? (
              'none, and none is needed in test mode'
            ) : (
              <Badge key="ready" tone="warn">
                not ready
              </Badge>
            ),
          ],
          ['Latest activity', <Moment key="latest" at={last_activity_at} tenantId={tenant_id} format="long" />],
          [
            'Id',
            <span key="id">
              <code>{id}</code> <CopyButton text={id} label="Copy the id" />
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

const CHANGES = ['opt_outs', 'conversations'];

/** Whether the person gets texts. Only their own START lifts an opt-out that they or the carrier set. */
function OptOutState({ conversation }: { conversation: Conversation }) {
  const { tenant_id, external_number, opted_out } = conversation;
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const optOut = useWrite((api) => api.optOuts.create({ tenant_id, external_number }), {
    changes: CHANGES,
    done: 'The person gets no more texts of this tenant.',
    onDone: close,
  });
  const lift = useWrite((api) => api.optOuts.remove(external_number, { tenant_id }), {
    changes: CHANGES,
    done: 'The person gets texts again.',
  });
  if (opted_out) {
    return (
      <section aria-label="Opt-out" className={css.factList}>
        <p>
          <Badge tone="bad">opted out</Badge> This tenant’s texts to the person are refused. If the person texted STOP,
          only START from the person ends the opt-out.
        </p>
        <ErrorNote error={lift.error} />
        <Button isPending={lift.isPending} onPress={() => lift.mutate(undefined)}>
          Allow texts again
        </Button>
      </section>
    );
  }
  return (
    <section aria-label="Opt-out" className={css.factList}>
      <Button onPress={() => setAsking(true)}>Opt out</Button>
      <Confirm
        title="Opt this person out?"
        isOpen={isAsking}
        onClose={close}
        confirm="Opt out"
        onConfirm={() => optOut.mutate(undefined)}
        isPending={optOut.isPending}
        error={optOut.error}
      >
        All texts of this tenant to {formatNumber(external_number)} are refused, from all its numbers. You can allow
        them again.
      </Confirm>
    </section>
  );
}
