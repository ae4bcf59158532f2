import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallBehavior, MenuBehavior, RingBehavior, VoicemailBehavior } from './behavior-schema.ts';
import { DEFAULT_VOICEMAIL } from './fill-defaults.ts';
import { voicemailOf } from './voicemail-of.ts';

const voicemail = (greeting_text: string): VoicemailBehavior => ({
  type: 'voicemail',
  greeting_text,
  transcribe: false,
});
const ring = (no_answer: VoicemailBehavior | null = null): RingBehavior => ({
  type: 'ring',
  targets: ['+16025550143'],
  strategy: 'simultaneous',
  timeout_seconds: 25,
  no_answer,
});
const menu = (options: Record<string, CallBehavior>, otherwise: CallBehavior = ring()): MenuBehavior => ({
  type: 'menu',
  prompt: 'Press a key.',
  options,
  timeout_seconds: 6,
  tries: 2,
  otherwise,
});

test('the voicemail of a config is that of the closed hours, else of the open ring, else the first in a menu', () => {
  const of = (open_behavior: RingBehavior | MenuBehavior, closed_behavior: CallBehavior) =>
    voicemailOf({ open_behavior, closed_behavior }).greeting_text;
  assert.equal(of(ring(voicemail('open')), voicemail('closed')), 'closed');
  assert.equal(of(ring(voicemail('open')), ring(voicemail('closed'))), 'open');
  assert.equal(of(ring(voicemail('open')), menu({ 1: voicemail('closed') })), 'open');
  assert.equal(of(ring(), ring(voicemail('closed'))), 'closed');
  assert.equal(of(ring(), menu({ 1: ring(), 2: menu({ 1: voicemail('one') }) }, voicemail('other'))), 'one');
  assert.equal(of(menu({ 1: ring(voicemail('ring')) }), menu({ 1: voicemail('closed') })), 'ring');
  assert.equal(of(menu({ 1: ring() }, voicemail('other')), ring()), 'other');
  assert.equal(of(ring(), ring()), DEFAULT_VOICEMAIL.greeting_text);
  assert.equal(voicemailOf(null), DEFAULT_VOICEMAIL);
});
