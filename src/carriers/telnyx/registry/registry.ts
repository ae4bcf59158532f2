/**
 * Telnyx's 10DLC registry: brands, campaigns, and the numbers that send under them. The product polls the registry's
 * reviews.
 */
import { textAt } from '../../../lib/json-object.ts';
import type { Assigned, Outcome } from '../../ports/outcome.ts';
import type { NumberAssignment, RegistryPort } from '../../ports/registry.ts';
import { type Answer, concludeRemoval, outcomeOf } from '../client/client.ts';
import { refusedByAccount } from '../client/errors.ts';
import type { TelnyxLine } from '../client/line.ts';
import { confirmBrandCode, createBrand, findBrand, sendBrandCode } from './brands.ts';
import { createCampaign, endCampaign, findCampaign } from './campaigns.ts';

/** @param vertical the branch of business of all brands, in Telnyx's words */
export function createRegistry(line: TelnyxLine, vertical: string): RegistryPort {
  return {
    createBrand: (ledger, brand) => createBrand(line, ledger, { brand, vertical }),
    findBrand: (ledger, ref) => findBrand(line, ledger, ref),
    sendBrandCode: (ledger, ref) => sendBrandCode(line, ledger, ref),
    confirmBrandCode: (ledger, brand) => confirmBrandCode(line, ledger, brand),
    createCampaign: (ledger, campaign) => createCampaign(line, ledger, campaign),
    findCampaign: (ledger, ref) => findCampaign(line, ledger, ref),
    endCampaign: (_ledger, { carrierRef }) => endCampaign(line, carrierRef),
    assignNumber: (_ledger, assignment) => assign(line, assignment),
    unassignNumber: async (_ledger, phoneNumber) => concludeRemoval(await unassign(line, phoneNumber)),
  };
}

const ASSIGNMENT = '/10dlc/phone_number_campaigns/{phoneNumber}';
const REFUSED = { outcome: 'rejected', reason: 'assign_failed' } as const;

const unassign = ({ client }: TelnyxLine, phoneNumber: string) =>
  client.ask({ method: 'DELETE', path: ASSIGNMENT, params: { phoneNumber } });

type FoundAssignment = {
  /** Telnyx's id of the campaign. */
  readonly campaignId: string | undefined;
  readonly status: string | undefined;
  readonly reason: string;
};

/** Returns the assignment of a number. Undefined if the number has none, or if Telnyx does not answer. */
export async function findAssignment(
  { client }: TelnyxLine,
  phoneNumber: string,
): Promise<FoundAssignment | undefined> {
  const answer = await client.ask({ method: 'GET', path: ASSIGNMENT, params: { phoneNumber } });
  if (answer.is !== 'answered') return undefined;
  return {
    campaignId: textAt(answer.body, 'campaignId'),
    status: textAt(answer.body, 'assignmentStatus'),
    reason: textAt(answer.body, 'failureReasons') ?? 'The carriers do not take the number.',
  };
}

/**
 * Assigns a number, or moves it from another campaign. Telnyx may need minutes. In that time a repeat of the command
 * returns the progress. A failed assignment is removed, so that the next attempt is a new assignment.
 */
async function assign(
  line: TelnyxLine,
  { phoneNumber, campaignCarrierRef: campaignId }: NumberAssignment,
): Promise<Outcome<Assigned, 'assign_failed'>> {
  const { client } = line;
  const params = { phoneNumber };
  const current = await client.ask({ method: 'GET', path: ASSIGNMENT, params });
  if (current.is !== 'answered' && current.is !== 'refused') return outcomeOf(current);
  if (current.is === 'answered' && textAt(current.body, 'campaignId') === campaignId) {
    if (textAt(current.body, 'assignmentStatus') === 'FAILED_ASSIGNMENT') await unassign(line, phoneNumber);
    return readAssignment(current);
  }
  const body = { phoneNumber, campaignId };
  return readAssignment(
    current.is === 'answered'
      ? await client.ask({ method: 'PUT', path: ASSIGNMENT, params, body })
      : await client.ask({ method: 'POST', path: '/10dlc/phone_number_campaigns', body }),
  );
}

function readAssignment(answer: Answer): Outcome<Assigned, 'assign_failed'> {
  if (answer.is === 'refused') return refusedByAccount(answer) ?? REFUSED;
  if (answer.is !== 'answered') return outcomeOf(answer);
  switch (textAt(answer.body, 'assignmentStatus')) {
    case 'FAILED_ASSIGNMENT':
      return REFUSED;
    case 'ASSIGNED':
      return { outcome: 'accepted' };
    default:
      return { outcome: 'accepted', pending: true };
  }
}
