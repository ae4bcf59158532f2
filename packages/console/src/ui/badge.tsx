import { lookUp } from '@dialplane/i18n';
import type { ReactNode } from 'react';
import { classes } from '../lib/classes.ts';
import { texts } from '../texts/ui.ts';
import css from './badge.module.css';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'plain';

/** What a status means to a person. Statuses that are not in the table are plain. */
const TONES: Readonly<Record<string, Tone>> = {
  active: 'ok',
  approved: 'ok',
  answered: 'ok',
  completed: 'ok',
  done: 'ok',
  delivered: 'ok',
  enabled: 'ok',
  ported: 'ok',
  received: 'ok',
  registered: 'ok',
  succeeded: 'ok',
  validated: 'ok',
  verified: 'ok',
  vetted: 'ok',
  confirmed: 'ok',
  dialing: 'info',
  foc_confirmed: 'info',
  in_progress: 'info',
  in_review: 'info',
  queued: 'info',
  ringing: 'info',
  running: 'info',
  sent: 'info',
  submitted: 'info',
  pending: 'warn',
  pending_review: 'warn',
  pending_vetting: 'warn',
  action_needed: 'warn',
  scheduled: 'warn',
  draft: 'plain',
  draining: 'warn',
  dropped: 'bad',
  failing: 'bad',
  due: 'warn',
  missed: 'warn',
  not_registered: 'warn',
  no_answer: 'warn',
  busy: 'warn',
  canceled: 'plain',
  cancelled: 'plain',
  released: 'plain',
  disabled: 'bad',
  exception: 'bad',
  failed: 'bad',
  given_up: 'bad',
  rejected: 'bad',
  revoked: 'bad',
  suspended: 'bad',
};

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={classes(css.badge, css[tone])}>{children}</span>;
}

/** A status of the API, in words and in a colour. */
export function Status({ status }: { status: string }) {
  return <Badge tone={TONES[status] ?? 'plain'}>{words(status)}</Badge>;
}

/** Returns a name of the API in words of the language: `pending_review` becomes "pending review" in English. */
export function words(name: string): string {
  return lookUp(texts.words, name) ?? name.replaceAll('_', ' ').replace(/^foc\b/, 'FOC');
}
