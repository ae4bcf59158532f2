import type { CreateRoutingConfig, ReplaceRoutingConfig, RoutingConfig } from '@dialplane/sdk/resources';
import { texts } from '../../texts/routing.ts';
import { type Span, scheduleOf, spansOf } from './spans.ts';

const t = texts.draft;

export type Voicemail = { readonly type: 'voicemail'; readonly greeting_text: string; readonly transcribe: boolean };

export type Ring = {
  readonly type: 'ring';
  readonly targets: readonly string[];
  readonly strategy: 'simultaneous' | 'sequential';
  readonly timeout_seconds: number;
  readonly no_answer: Voicemail | null;
};

export type Menu = {
  readonly type: 'menu';
  readonly prompt: string;
  readonly options: Readonly<Record<string, Behavior>>;
  readonly timeout_seconds: number;
  readonly tries: number;
  readonly otherwise: Behavior;
};

/** An agent of text answers. The editor changes some of its fields and keeps the others. */
export type Relay = {
  readonly type: 'relay';
  readonly url: string;
  readonly welcome_text?: string | null;
  readonly fallback: Behavior;
};

/** The caller waits for an agent. */
type InQueue = { readonly type: 'queue'; readonly queue_id: string };

/** The behavior for a caller. The API limits the depth of menus; this type is the same at all depths. */
export type Behavior = Ring | Voicemail | Menu | Relay | InQueue;

export type BehaviorType = Behavior['type'];

export type Holiday = {
  readonly date: string;
  readonly isClosed: boolean;
  readonly open: string;
  readonly close: string;
};

/** The fields that the editor changes. `spans` is null for a config that is open at all hours. */
export type Draft = {
  readonly name: string;
  readonly spans: readonly Span[] | null;
  readonly holidays: readonly Holiday[];
  readonly open: Behavior;
  readonly closed: Behavior;
  readonly isRecorded: boolean;
  readonly isAnnounced: boolean;
  /** Empty for no announcement. */
  readonly listeningAnnouncement: string;
  readonly holdAudioUrl: string;
};

const GREETING = t.nobodyCanTake;

export const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '*', '#'] as const;

export const NEW_VOICEMAIL: Voicemail = { type: 'voicemail', greeting_text: GREETING, transcribe: true };

const NEW_RING: Ring = {
  type: 'ring',
  targets: [''],
  strategy: 'simultaneous',
  timeout_seconds: 25,
  no_answer: NEW_VOICEMAIL,
};

/** Returns a new behavior of a type. The person fills it in. */
export function newBehavior(type: BehaviorType): Behavior {
  if (type === 'ring') return NEW_RING;
  if (type === 'voicemail') return NEW_VOICEMAIL;
  if (type === 'queue') return { type: 'queue', queue_id: '' };
  if (type === 'relay') return { type: 'relay', url: 'wss://', welcome_text: null, fallback: NEW_VOICEMAIL };
  return {
    type: 'menu',
    prompt: '',
    options: { 1: NEW_RING },
    timeout_seconds: 6,
    tries: 2,
    otherwise: NEW_VOICEMAIL,
  };
}

export function draftOf(config: RoutingConfig): Draft {
  const { business_hours: hours, recording } = config;
  return {
    name: config.name,
    spans: hours === null ? null : spansOf(hours.schedule),
    holidays: (hours?.holidays ?? []).map(({ date, open, close }) => ({
      date,
      isClosed: typeof open !== 'string',
      open: open ?? '09:00',
      close: close ?? '12:00',
    })),
    open: config.open_behavior as Behavior,
    closed: config.closed_behavior as Behavior,
    isRecorded: recording.enabled,
    isAnnounced: recording.consent_announcement,
    listeningAnnouncement: config.listening_announcement ?? '',
    holdAudioUrl: config.hold_audio_url ?? '',
  };
}

/** Returns the body of the change from a config to the draft. */
export function bodyOf(draft: Draft, tenantId: string): ReplaceRoutingConfig & CreateRoutingConfig {
  const { name, spans, holidays, open, closed, isRecorded, isAnnounced, listeningAnnouncement, holdAudioUrl } = draft;
  return {
    tenant_id: tenantId,
    name,
    ...(spans !== null && {
      business_hours: {
        schedule: scheduleOf(spans),
        holidays: holidays.map((day) =>
          day.isClosed ? { date: day.date, closed: true } : { date: day.date, open: day.open, close: day.close },
        ),
      },
    }),
    open_behavior: open as ReplaceRoutingConfig['open_behavior'],
    closed_behavior: closed as NonNullable<ReplaceRoutingConfig['closed_behavior']>,
    recording: { enabled: isRecorded, consent_announcement: isAnnounced },
    listening_announcement: listeningAnnouncement === '' ? null : listeningAnnouncement,
    hold_audio_url: holdAudioUrl === '' ? null : holdAudioUrl,
  };
}

/** Returns the names of all fields of a draft, in the form of the API's errors. */
export function fieldsOf({ open, closed, holidays }: Draft): string[] {
  return [
    'name',
    'listening_announcement',
    'hold_audio_url',
    ...holidays.flatMap((_, index) =>
      ['date', 'open', 'close'].map((name) => `business_hours.holidays[${index}].${name}`),
    ),
    ...behaviorFields(open, 'open_behavior'),
    ...behaviorFields(closed, 'closed_behavior'),
  ];
}

/** Returns the names of the fields of a behavior at a path. */
export function behaviorFields(behavior: Behavior, path: string): string[] {
  switch (behavior.type) {
    case 'voicemail':
      return [`${path}.greeting_text`];
    case 'ring':
      return [
        `${path}.timeout_seconds`,
        `${path}.no_answer.greeting_text`,
        ...behavior.targets.map((_, index) => `${path}.targets[${index}]`),
      ];
    case 'queue':
      return [`${path}.queue_id`];
    case 'relay':
      return [`${path}.url`, `${path}.welcome_text`, ...behaviorFields(behavior.fallback, `${path}.fallback`)];
    case 'menu':
      return [
        ...['prompt', 'timeout_seconds', 'tries'].map((name) => `${path}.${name}`),
        ...Object.entries(behavior.options).flatMap(([key, option]) =>
          behaviorFields(option, `${path}.options[${key}]`),
        ),
        ...behaviorFields(behavior.otherwise, `${path}.otherwise`),
      ];
  }
}

/** The properties that an editor of a behavior gets. */
export type EditorProps<T extends Behavior = Behavior> = {
  /** The field of the API, such as `open_behavior.options[1]`. */
  readonly path: string;
  readonly value: T;
  readonly onChange: (value: Behavior) => void;
  readonly tenantId: string;
  /** The number of menus around the behavior. */
  readonly depth: number;
};

/** Reads a number field. An empty field is zero, and the API then refuses the field. */
export const numberOf = (text: string) => (text === '' ? 0 : Number(text));

export const numberText = (value: number) => (value === 0 ? '' : String(value));
