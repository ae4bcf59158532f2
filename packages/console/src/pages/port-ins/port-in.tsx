import type { PortIn } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { ledgerPath, useLedger, usePageId } from '../../app/ledger.ts';
import { Review } from '../../app/reviews.tsx';
import { TenantName } from '../../app/tenant-field.tsx';
import { formatNumber } from '../../lib/numbers.ts';
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

/** One port-in: its stage, the questions of the carrier, its details and documents. */
export function PortInPage() {
  const id = usePageId();
  const [isEditing, setEditing] = useState(false);
  const { data: portIn, error } = useRead(['port_ins', id], (api) => api.portIns.get(id));
  if (error !== null) {
    return (
      <Page title="Port-in">
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (portIn === undefined) return <Loading />;
  const isCorrectable = canCorrect(portIn.status);
  return (
    <Page
      title={`Port-in of ${portIn.phone_numbers.length === 1 ? formatNumber(portIn.phone_numbers[0] as string) : `${portIn.phone_numbers.length} numbers`}`}
      actions={<Actions portIn={portIn} onEdit={isCorrectable && !isEditing ? () => setEditing(true) : undefined} />}
    >
      <Card label="Stages">
        <Stages portIn={portIn} />
      </Card>
      {portIn.status === 'action_needed' && (
        <Notice tone="warn" title="The losing carrier asks for a correction">
          <p>{portIn.status_detail ?? 'It did not say what is wrong.'}</p>
          <p>Correct the details, add what is missing to the documents, and submit the port-in again.</p>
        </Notice>
      )}
      {isCorrectable && isEditing ? (
        <Edit portIn={portIn} onClose={() => setEditing(false)} />
      ) : (
        <Card label="Details">
          <Details portIn={portIn} />
        </Card>
      )}
      <Section title="Documents">
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
    done: 'The port-in is submitted.',
  });
  const cancel = useWrite((api, id: string) => api.portIns.cancel(id), {
    changes: ['port_ins'],
    done: 'The port-in is cancelled.',
    onDone: () => setAsking(false),
  });
  return (
    <>
      {canCancel(portIn.status) && (
        <Button kind="danger" onPress={() => setAsking(true)}>
          Cancel the port-in
        </Button>
      )}
      {onEdit !== undefined && <Button onPress={onEdit}>Correct</Button>}
      {canCorrect(portIn.status) && (
        <Button kind="primary" isPending={submit.isPending} onPress={() => submit.mutate(portIn.id)}>
          {portIn.status === 'draft' ? 'Submit' : 'Submit again'}
        </Button>
      )}
      <ErrorNote error={submit.error} />
      <Confirm
        title="Cancel this port-in?"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirm="Cancel the port-in"
        onConfirm={() => cancel.mutate(portIn.id)}
        isPending={cancel.isPending}
        error={cancel.error}
      >
        <p>The numbers stay with their carrier. A cancelled port-in cannot be resumed: make a new one instead.</p>
      </Confirm>
    </>
  );
}

function Edit({ portIn, onClose }: { portIn: PortIn; onClose: () => void }) {
  const update = useWrite((api, details: PortInDetails) => api.portIns.update(portIn.id, details), {
    changes: ['port_ins'],
    done: 'The port-in is corrected. Submit it when it is complete.',
    onDone: onClose,
  });
  return (
    <Card label="Correct the port-in">
      <PortInForm
        portIn={portIn}
        submit="Save"
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
        ['Numbers', portIn.phone_numbers.map(formatNumber).join(', ')],
        ['Id', <code key="id">{portIn.id}</code>],
        [
          'Tenant',
          <Link key="tenant" to={ledgerPath(ledger, `tenants/${portIn.tenant_id}`)}>
            <TenantName id={portIn.tenant_id} />
          </Link>,
        ],
        ['Account holder', portIn.entity_name],
        ['Authorized person', portIn.authorized_person],
        ['Account number', portIn.account_number],
        ['Billing number', formatNumber(portIn.billing_phone_number)],
        ['Service address', `${street}, ${city}, ${state} ${postal_code}`],
        ['Made', <Moment key="made" at={portIn.created_at} tenantId={portIn.tenant_id} format="long" />],
      ]}
    />
  );
}

function CarrierReview({ portIn }: { portIn: PortIn }) {
  const { mode } = useLedger();
  const advance = useWrite(
    (api, { status, detail }: { status: PortInStatus; detail: string | null }) =>
      api.test.advancePortIn(portIn.id, { status, status_detail: detail }),
    { changes: ['port_ins', 'phone_numbers'], done: ({ status }) => `The port-in is now ${words(status)}.` },
  );
  if (mode === 'live') return null;
  const results = NEXT_STEPS[portIn.status];
  return (
    <Review
      title={results.length > 0 ? 'Act as the losing carrier' : 'Reviews'}
      results={results}
      reasonLabel="What the carrier says"
      onDecide={(status, detail) => advance.mutate({ status: status as PortInStatus, detail })}
      isPending={advance.isPending}
      error={advance.error}
    />
  );
}
