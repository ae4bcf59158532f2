import type { SipPhone } from '@dialplane/sdk/resources';
import { texts } from '../texts/parts.ts';
import { Status } from '../ui/badge.tsx';
import { Moment } from '../ui/moment.tsx';
import { rich } from '../ui/rich.tsx';

const t = texts.registration;

/** How often the registrations of telephones are read again. The server reads them from the engines as often. */
export const REGISTRATIONS_EVERY_MS = 10_000;

type RegistrationProps = {
  registration: SipPhone['registration'];
  /** Null if the state is unknown. */
  since: string | null;
  /** The tenant whose time zone applies to the time. */
  tenantId?: string | undefined;
};

/** Shows whether a telephone is registered, and since when. */
export function Registration({ registration, since, tenantId }: RegistrationProps) {
  return (
    <>
      <Status status={registration} />
      {since !== null && <> {rich(t.since, <Moment at={since} tenantId={tenantId} />)}</>}
    </>
  );
}
