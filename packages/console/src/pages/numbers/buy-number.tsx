import type { AvailableNumber, PurchasePhoneNumber } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { CampaignField, RoutingConfigField } from '../../app/option-fields.tsx';
import { TenantField } from '../../app/tenant-field.tsx';
import { formatUsd } from '../../lib/amounts.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/numbers.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';

const t = texts.buyNumber;

const FIELDS = ['tenant_id', 'routing_config_id', 'campaign_id'];

type BuyNumberProps = { number: AvailableNumber; tenantId: string | undefined; onClose: () => void };

/** Buys the number for a tenant, and opens its page. */
export function BuyNumber({ number, tenantId, onClose }: BuyNumberProps) {
  const ledger = useLedger();
  const navigate = useNavigate();
  const [owner, setOwner] = useState<string | null>(tenantId ?? null);
  const { phone_number, monthly_price_usd } = number;
  const buy = useWrite((api, order: PurchasePhoneNumber) => api.phoneNumbers.purchase(order), {
    changes: ['phone_numbers', 'balance', 'available_numbers'],
    done: ({ phone_number: bought }) => t.bought(formatNumber(bought)),
    onDone: ({ id }) => navigate({ to: ledgerPath(ledger, `numbers/${id}`) }),
  });
  return (
    <Dialog title={t.buy(formatNumber(phone_number))} isOpen onClose={onClose}>
      <p>
        {ledger.mode === 'test'
          ? t.testModeCosts(formatUsd(monthly_price_usd))
          : t.costsMonthFrom(formatUsd(monthly_price_usd))}
      </p>
      <Form
        submit={t.buyTheNumber}
        fields={FIELDS}
        error={buy.error}
        isPending={buy.isPending}
        onCancel={onClose}
        onSubmit={({ tenant_id = '', routing_config_id, campaign_id }) =>
          buy.mutate({
            tenant_id,
            phone_number,
            ...(routing_config_id !== undefined && { routing_config_id }),
            ...(campaign_id !== undefined && { campaign_id }),
          })
        }
      >
        <TenantField isRequired autoFocus={owner === null} value={owner} onChange={setOwner} />
        <RoutingConfigField
          key={`routing ${owner}`}
          tenantId={owner ?? undefined}
          isDisabled={owner === null}
          hint={t.decidesWhoRings}
        />
        <CampaignField
          key={`campaign ${owner}`}
          tenantId={owner ?? undefined}
          isDisabled={owner === null}
          hint={t.whatLiveNumber}
        />
      </Form>
    </Dialog>
  );
}
