import type { ConsoleSessionWithVersion } from '../api/generated/operator-types.ts';

type Role = ConsoleSessionWithVersion['role'];

/** Something to do or to see, by its name. */
export type Action = {
  readonly text: string;
  readonly path: string;
  readonly search?: Readonly<Record<string, string>>;
  /** Who may do it; everybody without it. */
  readonly needs?: 'support' | 'admin';
};

/** The actions that the palette offers, in addition to the pages. */
const ACTIONS: readonly Action[] = [
  { text: 'New tenant', path: 'tenants', search: { new: 'tenant' }, needs: 'admin' },
  { text: 'New contact', path: 'contacts', search: { new: 'contact' }, needs: 'support' },
  { text: 'Write a text', path: 'inbox/new', needs: 'support' },
  { text: 'Buy a number', path: 'numbers/buy', needs: 'admin' },
  { text: 'New brand', path: 'brands/new', needs: 'admin' },
  { text: 'New campaign', path: 'campaigns/new', needs: 'admin' },
  { text: 'New port-in', path: 'port-ins/new', needs: 'admin' },
  { text: 'Failed texts', path: 'messages', search: { status: 'failed' } },
  { text: 'Scheduled texts', path: 'messages', search: { status: 'scheduled' } },
  { text: 'Calls in progress', path: 'calls', search: { status: 'in_progress' } },
  { text: 'Missed calls', path: 'calls', search: { outcome: 'missed' } },
  { text: 'Webhook endpoints that fail', path: 'webhooks', search: { status: 'failing' } },
  { text: 'Refused requests', path: 'requests', search: { status: '4xx' } },
  { text: 'Opted-out conversations', path: 'inbox', search: { opted_out: 'true' } },
];

/** Returns the actions of a role. */
export function actionsOf(role: Role): readonly Action[] {
  const may = (needs: Action['needs']) =>
    needs === undefined || (role !== 'viewer' && (needs === 'support' || role !== 'support'));
  return ACTIONS.filter(({ needs }) => may(needs));
}
