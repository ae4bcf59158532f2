/** The groups of the catalogue with their titles, in the order of the documentation pages. */
export const ERROR_GROUPS = {
  auth: 'Authentication and limits',
  request: 'Request shape',
  messaging: 'Messaging',
  numbers: 'Numbers and porting',
  voice: 'Voice',
  compliance: '10DLC',
  tenants: 'Tenants and webhooks',
  console: 'Console',
  money: 'Money',
  service: 'Service',
} as const;

export type ErrorGroup = keyof typeof ERROR_GROUPS;

export type ErrorEntry = {
  readonly status: number;
  readonly group: ErrorGroup;
  readonly message: string;
  readonly remedy: string;
};
