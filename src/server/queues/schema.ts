import { WebhookEndpoint } from '../../domain/events/index.ts';
import { Closed, Limit, Timestamp } from '../../http/schemas/schemas.ts';
import { Type } from '../../lib/type.ts';
import { QUEUES } from '../../queue/jobs/job.ts';
import { JOB_STATES, KINDS_MAX } from '../../queue/jobs/job-figures.ts';

const figures = {
  kind: Type.String(),
  due: Type.Integer({ description: 'Wait for a worker.' }),
  running: Type.Integer({ description: 'Are being worked on.' }),
  failed: Type.Integer({ description: 'Have failed and wait for their next attempt.' }),
  waiting: Type.Integer({ description: 'Are due later.' }),
  oldest_due_seconds: Type.Number({ description: 'How long the first has been due; 0 if none is.' }),
  is_partial: Type.Boolean({ description: 'True if there are more than the 10,000 that were counted.' }),
};

const AttemptFigures = Type.Object({
  kind: Type.String(),
  attempts: Type.Integer({
    description:
      'Attempts that succeeded or failed. One attempt may work on several jobs. Attempts that another worker took over are not counted.',
  }),
  failed_attempts: Type.Integer({ description: 'Attempts that failed, also because a carrier is not available.' }),
});

export const Queues = Type.Object({
  object: Type.Literal('queues'),
  jobs: Type.Array(Type.Object({ queue: Type.Enum(QUEUES), ...figures }), { maxItems: KINDS_MAX }),
  lanes: Type.Array(Type.Object(figures), {
    maxItems: KINDS_MAX,
    description:
      'Serial queues: one for each resource or call. Those of endpoints and campaigns that are paused are not counted.',
  }),
  attempts_since: Type.Unsafe<Date>({
    ...Timestamp,
    description: 'When the first counted hour began: 23 hours before the current hour.',
  }),
  attempts: Type.Array(AttemptFigures, {
    maxItems: KINDS_MAX,
    description:
      'The attempts of all processes since then, by kind of job or lane. Each process adds its own every 5 seconds.',
  }),
});

export const Job = Type.Object({
  id: Type.String(),
  object: Type.Literal('job'),
  account_id: Type.Union([Type.String(), Type.Null()], { description: 'Null for a job of the installation.' }),
  mode: Type.Union([Type.Literal('live'), Type.Literal('test'), Type.Null()]),
  queue: Type.Enum(QUEUES),
  kind: Type.String(),
  state: Type.Enum(JOB_STATES, {
    description: 'due: waits for a worker; failed: waits for its next attempt; waiting: is not due yet.',
  }),
  attempts: Type.Integer(),
  run_at: Timestamp,
  due_for_seconds: Type.Number(),
});

export const JobQuery = Closed({
  queue: Type.Optional(Type.Enum(QUEUES, { description: 'Only jobs of this queue.' })),
  kind: Type.Optional(Type.String({ maxLength: 100, description: 'Only jobs of this kind.' })),
  state: Type.Optional(Type.Enum(JOB_STATES, { description: 'Only jobs in this state.' })),
  limit: Type.Optional(Limit),
});

const { url, tenant_id, status, disabled_reason, failing_since } = WebhookEndpoint.properties;

export const FailingEndpoint = Type.Object({
  id: Type.String(),
  object: Type.Literal('failing_endpoint'),
  account_id: Type.String(),
  account_name: Type.String(),
  mode: Type.Union([Type.Literal('live'), Type.Literal('test')]),
  ...{ url, tenant_id, status, disabled_reason, failing_since },
});
