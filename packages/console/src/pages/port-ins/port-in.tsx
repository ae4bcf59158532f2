import type { PortIn } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { ledgerPath, useLedger, usePageId } from '../../app/ledger.ts';
import { Review } from '../../app/reviews.tsx';
import { TenantName } from '../../app/tenant-field.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/port-ins.ts';
import { words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Facts, Page, Section } from '../../ui/page.tsx';
import { Documents } from './documents.tsx';
import { type PortInDetails, PortInForm } from './port-in-form.tsx';
import { Stages } from './port-in-stages.tsx';
import { canCancel, canCorrect, NEXT_STEPS, type PortInStatus } from './stages.ts';

const t = texts.portIn;

/** One port-in: its stage, the questions of the carrier, its details and documents. */
export function PortInPage() {
  const id = usePageId();
  const [isEditing, setEditing] = useState(false);
  const { data: portIn, error } = useRead(['port_ins', id], (api) => api.portIns.get(id));
  if (error !== null) {
    return (
      <Page title={t.portIn}>
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (portIn === undefined) return <Loading />;
  const isCorrectable = canCorrect(portIn.status);
  return (
    <Page
      title={t.portInOf(
        portIn.phone_numbers.length === 1
          ? formatNumber(portIn.phone_numbers[0] as string)
          : t.numbers(portIn.phone_numbers.length),
      )}
      actions={<Actions portIn={portIn} onEdit={isCorrectable && !isEditing ? () => setEditing(true) : undefined} />}
    >
      <Card label={t.stages}>
        <Stages portIn={portIn} />
      </Card>
      {portIn.status === 'action_needed' && (
        <Notice tone="warn" title={t.losingCarrierAsks}>
          <p>{portIn.status_detail ?? t.didNotSay}</p>
          <p>{t.correctDetailsAdd}</p>
        </Notice>
      )}
      {isCorrectable && isEditing ? (
        <Edit portIn={portIn} onClose={() => setEditing(false)} />
      ) : (
        <Card label={t.details}>
          <Details portIn={portIn} />
        </Card>
      )}
      <Section title={t.documents}>
        <Documents portIn={portIn} />
      </Section>
      <CarrierReview portIn={portIn} />
    </Page>
  );
}

function Actions({ portIn, onEdit }: { portIn: PortIn; onEdit: (() => void) | undefined }) {
  const [isAsking, setAsking] = useState(false);
  const submit = useWrite((api, id: string) => api.portIns.submit(id), {
    changes: ['port_ins'],
    done: t.portSubmitted,
  });
  const cancel = useWrite((api, id: string) => api.portIns.cancel(id), {
    changes: ['port_ins'],
    done: t.portCancelled,
    onDone: () => setAsking(false),
  });
  return (
    <>
      {canCancel(portIn.status) && (
        <Button kind="danger" onPress={() => setAsking(true)}>
          {t.cancelPort}
        </Button>
      )}
      {onEdit !== undefined && <Button onPress={onEdit}>{t.correct}</Button>}
      {canCorrect(portIn.status) && (
        <Button kind="primary" isPending={submit.isPending} onPress={() => submit.mutate(portIn.id)}>
          {portIn.status === 'draft' ? t.submit : t.submitAgain}
        </Button>
      )}
      <ErrorNote error={submit.error} />
      <Confirm
        title={t.cancelPortText}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirm={t.cancelPort}
        onConfirm={() => cancel.mutate(portIn.id)}
        isPending={cancel.isPending}
        error={cancel.error}
      >
        <p>{t.numbersStayTheir}</p>
      </Confirm>
    </>
  );
}

function Edit({ portIn, onClose }: { portIn: PortIn; onClose: () => void }) {
  const update = useWrite((api, details: PortInDetails) => api.portIns.update(portIn.id, details), {
    changes: ['port_ins'],
    done: t.portCorrectedSubmit,
    onDone: onClose,
  });
  return (
    <Card label={t.correctPort}>
      <PortInForm
        portIn={portIn}
        submit={t.save}
        onSubmit={update.mutate}
        onCancel={onClose}
        error={update.error}
        isPending={update.isPending}
      />
    </Card>
  );
}

function Details({ portIn }: { portIn: PortIn }) {
  const ledger = useLedger();
  const { street, city, state, postal_code } = portIn.service_address;
  return (
    <Facts
      facts={[
        [t.numbersText, portIn.phone_numbers.map(formatNumber).join(', ')],
        [t.id, <code key="id">{portIn.id}</code>],
        [
          t.tenant,
          <Link key="tenant" to={ledgerPath(ledger, `tenants/${portIn.tenant_id}`)}>
            <TenantName id={portIn.tenant_id} />
          </Link>,
        ],
        [t.accountHolder, portIn.entity_name],
        [t.authorizedPerson, portIn.authorized_person],
        [t.accountNumber, portIn.account_number],
        [t.billingNumber, formatNumber(portIn.billing_phone_number)],
        [t.serviceAddress, `${street}, ${city}, ${state} ${postal_code}`],
        [t.made, <Moment key="made" at={portIn.created_at} tenantId={portIn.tenant_id} format="long" />],
      ]}
    />
  );
}

function CarrierReview({ portIn }: { portIn: PortIn }) {
  const { mode } = useLedger();
  const advance = useWrite(
    (api, { status, detail }: { status: PortInStatus; detail: string | null }) =>
      api.test.advancePortIn(portIn.id, { status, status_detail: detail }),
    { changes: ['port_ins', 'phone_numbers'], done: ({ status }) => t.portNow(words(status)) },
  );
  if (mode === 'live') return null;
  const results = NEXT_STEPS[portIn.status];
  return (
    <Review
      title={results.length > 0 ? t.actLosingCarrier : t.reviews}
      results={results}
      reasonLabel={t.whatCarrierSays}
      onDecide={(status, detail) => advance.mutate({ status: status as PortInStatus, detail })}
      isPending={advance.isPending}
      error={advance.error}
    />
  );
}
