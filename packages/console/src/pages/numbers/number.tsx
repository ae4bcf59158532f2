import type { PhoneNumber } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Loading } from '../../app/failure.tsx';
import { ledgerPath, useLedger, usePageId } from '../../app/ledger.ts';
import { useNumber } from '../../app/number-field.tsx';
import { PortOutAlarms } from '../../app/port-out-alarm.tsx';
import { TenantName } from '../../app/tenant-field.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/numbers.ts';
import { Status, words } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/code.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Card, Columns, Facts, Page } from '../../ui/page.tsx';
import { Attached } from './attached.tsx';
import { Readiness } from './readiness.tsx';
import { ReleaseNumber } from './release-number.tsx';

const t = texts.number;

/** One number: the resources attached to it, and whether it can send texts. */
export function NumberPage() {
  const id = usePageId();
  const { data: number, error } = useNumber(id);
  if (error !== null) {
    return (
      <Page title={t.number}>
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (number === undefined) return <Loading />;
  return <Shown number={number} />;
}

function Shown({ number }: { number: PhoneNumber }) {
  const ledger = useLedger();
  const [isReleasing, setReleasing] = useState(false);
  const { id, phone_number, tenant_id, status, capabilities, created_at } = number;
  const isReleased = status === 'released';
  return (
    <Page
      title={formatNumber(phone_number)}
      actions={
        <>
          <ButtonLink to={ledgerPath(ledger, 'inbox')} search={{ phone_number_id: id }}>
            {t.conversations}
          </ButtonLink>
          {!isReleased && (
            <Button kind="danger" onPress={() => setReleasing(true)}>
              {t.release}
            </Button>
          )}
        </>
      }
    >
      <PortOutAlarms numberId={id} />
      <Card label={t.number}>
        <Facts
          facts={[
            [t.status, <Status key="status" status={status} />],
            [
              t.tenant,
              <Link key="tenant" to={ledgerPath(ledger, `tenants/${tenant_id}`)}>
                <TenantName id={tenant_id} />
              </Link>,
            ],
            [t.inE164, <WithCopy key="e164" text={phone_number} label={t.copyTheNumber} />],
            [t.for, capabilities.map(words).join(', ')],
            [t.since, <Moment key="since" at={created_at} tenantId={tenant_id} format="long" />],
          ]}
        />
      </Card>
      {!isReleased && (
        <Columns>
          <Attached number={number} />
          <Readiness number={number} />
        </Columns>
      )}
      <ReleaseNumber number={number} isOpen={isReleasing} onClose={() => setReleasing(false)} />
    </Page>
  );
}

function WithCopy({ text, label }: { text: string; label: string }) {
  return (
    <span>
      <code>{text}</code> <CopyButton text={text} label={label} />
    </span>
  );
}
