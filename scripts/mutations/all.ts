import { ACCOUNTS } from './accounts.ts';
import { CONSENT } from './consent.ts';
import { CONVERSATIONS } from './conversations.ts';
import { GATEWAYS } from './gateways.ts';
import { MESSAGING } from './messaging.ts';
import type { Mutation } from './mutation.ts';
import { VOICE } from './voice.ts';
import { WORK } from './work.ts';

/** All edits. The number of an edit is its position, from 1. */
export const MUTATIONS: readonly Mutation[] = [
  ...ACCOUNTS,
  ...MESSAGING,
  ...WORK,
  ...VOICE,
  ...CONSENT,
  ...CONVERSATIONS,
  ...GATEWAYS,
];
