import type { Event } from '@dialplane/sdk/resources';
import { useEffect } from 'react';
import { useRead } from '../api/queries.ts';
import { useWebClients } from '../api/tenant-phones.ts';
import { formatNumber } from '../lib/numbers.ts';
import { texts } from '../texts/parts.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Moment } from '../ui/moment.tsx';
import { Notice } from '../ui/notice.tsx';
import { rich } from '../ui/rich.tsx';
import { ledgerPath, useLedger } from './ledger.ts';
import { TenantName } from './tenant-field.tsx';

const t = texts.emergencyNotice;

export type EmergencyCall = Extract<Event, { type: 'emergency_call.placed' }>['data'];

/** Shows who has dialled 911, and from where. Rings until the person has seen it. */
export function EmergencyNotice({ call, onSeen }: { call: EmergencyCall; onSeen: () => void }) {
  const ledger = useLedger();
  useEffect(ring, []);
  const clients = useWebClients(call.tenant_id);
  const client = clients.rows.find(({ id }) => id === call.web_client_id);
  const name = client?.name ?? call.web_client_id ?? call.telephone;
  return (
    <div role="alert">
      <Notice
        tone="bad"
        title={t.callsForHelp(name ?? '')}
        action={
          <>
            <ButtonLink to={ledgerPath(ledger, `calls/${call.call_id}`)}>{t.openTheCall}</ButtonLink>
            <Button onPress={onSeen}>{t.iHaveSeen}</Button>
          </>
        }
      >
        <p>
          <TenantName id={call.tenant_id} />
          {rich(
            t.from,
            formatNumber(call.from),
            <Moment at={call.placed_at} tenantId={call.tenant_id} format="long" />,
          )}
        </p>
        <Place addressId={call.e911_address_id} isConfirmed={call.address_confirmed} />
      </Notice>
    </div>
  );
}

function Place({ addressId, isConfirmed }: { addressId: string | null; isConfirmed: boolean }) {
  const { data } = useRead(['e911_addresses', addressId], (api) => api.e911Addresses.get(addressId as string), {
    enabled: addressId !== null,
  });
  if (addressId === null) return <p>{t.noAddressKnown}</p>;
  if (data === undefined) return null;
  const { street, unit, city, state, postal_code } = data;
  const written = [street, unit, city, `${state} ${postal_code}`].filter((part) => part !== null).join(', ');
  return (
    <p>
      {written}.{!isConfirmed && ` ${t.carrierDoesNot}`}
    </p>
  );
}

const RING_MS = 2_000;
const TONE_S = 0.8;

/**
 * Rings every two seconds. Some browsers play no sound before a click on the page; there it is silent until the click.
 */
function ring(): () => void {
  const audio = new AudioContext();
  const tone = () => {
    void audio.resume();
    for (const frequency of [440, 480]) {
      const oscillator = new OscillatorNode(audio, { frequency });
      oscillator.connect(new GainNode(audio, { gain: 0.2 })).connect(audio.destination);
      oscillator.start();
      oscillator.stop(audio.currentTime + TONE_S);
    }
  };
  tone();
  const timer = setInterval(tone, RING_MS);
  return () => {
    clearInterval(timer);
    void audio.close();
  };
}
