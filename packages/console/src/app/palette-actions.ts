import type { ConsoleSessionWithVersion } from '../api/generated/operator-types.ts';
import { texts } from '../texts/parts.ts';

type Role = ConsoleSessionWithVersion['role'];

/** Something to do or to see, by its name. */
export type Action = {
  readonly key: keyof typeof texts.paletteActions;
  readonly path: string;
  readonly search?: Readonly<Record<string, string>>;
  /** The role that may run the action; absent: every role. */
  readonly needs?: 'support' | 'admin';
};

/** The actions that the palette offers, in addition to the pages. */
const ACTIONS: readonly Action[] = [
  { key: 'newTenant', path: 'tenants', search: { new: 'tenant' }, needs: 'admin' },
  { key: 'newContact', path: 'contacts', search: { new: 'contact' }, needs: 'support' },
  { key: 'writeAText', path: 'inbox/new', needs: 'support' },
  { key: 'buyANumber', path: 'numbers/buy', needs: 'admin' },
  { key: 'newBrand', path: 'brands/new', needs: 'admin' },
  { key: 'newCampaign', path: 'campaigns/new', needs: 'admin' },
  { key: 'newPortIn', path: 'port-ins/new', needs: 'admin' },
  { key: 'failedTexts', path: 'messages', search: { status: 'failed' } },
  { key: 'scheduledTexts', path: 'messages', search: { status: 'scheduled' } },
  { key: 'callsInProgress', path: 'calls', search: { status: 'in_progress' } },
  { key: 'missedCalls', path: 'calls', search: { outcome: 'missed' } },
  { key: 'webhookEndpointsFail', path: 'webhooks', search: { status: 'failing' } },
  { key: 'refusedRequests', path: 'requests', search: { status: '4xx' } },
  { key: 'optedOutConversations', path: 'inbox', search: { opted_out: 'true' } },
];

/** Returns the name of an action. */
export const actionName = ({ key }: Action): string => texts.paletteActions[key];

/** Returns the actions of a role. */
export function actionsOf(role: Role): readonly Action[] {
  const may = (needs: Action['needs']) =>
    needs === undefined || (role !== 'viewer' && (needs === 'support' || role !== 'support'));
  return ACTIONS.filter(({ needs }) => may(needs));
}
