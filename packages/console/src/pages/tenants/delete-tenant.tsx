import type { Tenant } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { useRead, useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/tenants.ts';
import { Confirm } from '../../ui/dialog.tsx';

const t = texts.deleteTenant;

const NAMED_MAX = 5;

type DeleteTenantProps = { tenant: Tenant; isOpen: boolean; onClose: () => void };

/** Asks for a confirmation before a tenant is deleted. Lists the data that is deleted and the data that stays. */
export function DeleteTenant({ tenant, isOpen, onClose }: DeleteTenantProps) {
  const ledger = useLedger();
  const navigate = useNavigate();
  const { id, name } = tenant;
  const { data: numbers } = useRead(
    ['phone_numbers', 'in use', id],
    (api) => api.phoneNumbers.list({ tenant_id: id, limit: 100 }),
    { enabled: isOpen },
  );
  const remove = useWrite((api) => api.tenants.delete(id), {
    changes: ['phone_numbers', 'campaigns', 'port_ins', 'api_keys', 'message_templates'],
    done: t.isDeleted(name),
    onDone: () => navigate({ to: ledgerPath(ledger, 'tenants'), ignoreBlocker: true }),
  });
  const own = numbers?.data.filter(({ status }) => status !== 'released') ?? [];
  const named = own.slice(0, NAMED_MAX).map(({ phone_number }) => formatNumber(phone_number));
  const others = own.length - named.length;
  return (
    <Confirm
      title={t.delete(name)}
      isOpen={isOpen}
      onClose={onClose}
      confirm={t.deleteTheTenant}
      onConfirm={() => remove.mutate(undefined)}
      isPending={remove.isPending}
      error={remove.error}
    >
      <p>{t.cannotUndoneOnce}</p>
      <ul>
        <li>
          {own.length === 0
            ? t.noNumbersRelease
            : t.numbersReleasedGone(named.join(', '), others > 0 ? t.andMore(others) : '')}
        </li>
        <li>{t.openPortIns}</li>
        <li>{t.emergencyAddressesOpt}</li>
        <li>{t.apiKeysStop}</li>
      </ul>
      <p>{t.textsCallsEvents}</p>
    </Confirm>
  );
}
