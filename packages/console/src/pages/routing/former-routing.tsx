import type { RoutingConfig } from '@dialplane/sdk/resources';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { texts } from '../../texts/routing.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Table } from '../../ui/table.tsx';
import { describe } from './describe.ts';
import type { Behavior } from './draft.ts';
import { shortHours } from './spans.ts';

const t = texts.formerRouting;

/** A field of a config, and a function that describes it in words. */
type Field = { readonly title: string; readonly part: (config: RoutingConfig) => unknown; readonly say: Say };
type Say = (config: RoutingConfig) => ReactNode;

const FIELDS: readonly Field[] = [
  { title: t.name, part: ({ name }) => name, say: ({ name }) => name },
  { title: t.hours, part: ({ business_hours }) => business_hours, say: shortHours },
  behavior(t.whenOpen, ({ open_behavior }) => open_behavior as Behavior),
  behavior(t.whenClosed, ({ closed_behavior }) => closed_behavior as Behavior),
  { title: t.recording, part: ({ recording }) => recording, say: recordingText },
  {
    title: t.listeningAnnouncement,
    part: (config) => config.listening_announcement,
    say: ({ listening_announcement: text }) => text ?? t.none,
  },
  { title: t.holdAudio, part: (config) => config.hold_audio_url, say: ({ hold_audio_url: url }) => url ?? t.none },
];

function behavior(title: string, part: (config: RoutingConfig) => Behavior): Field {
  return { title, part, say: (config) => describe(part(config)) };
}

function recordingText({ recording: { enabled, consent_announcement } }: RoutingConfig): string {
  if (!enabled) return t.notRecorded;
  return consent_announcement ? t.recordedAnnounced : t.recordedSilently;
}

type FormerRoutingProps = {
  config: RoutingConfig;
  /** RFC 3339 */
  at: string;
};

/** Shows a routing config at an earlier time, such as the time of a call: the fields that have changed since. */
export function FormerRouting({ config, at }: FormerRoutingProps) {
  const { id, tenant_id } = config;
  const { data: former, error } = useRead(['routing_configs', id, 'at', at], (api) =>
    api.routingConfigs.get(id, { at }),
  );
  if (error !== null) return <ErrorNote error={error} />;
  if (former === undefined) return null;
  const changed = FIELDS.filter(({ part }) => JSON.stringify(part(former)) !== JSON.stringify(part(config)));
  return (
    <Notice title={changed.length === 0 ? t.unchanged : t.changed}>
      <p>
        <Moment at={at} tenantId={tenant_id} format="long" />
      </p>
      {changed.length > 0 && (
        <Table
          label={t.changed}
          rows={changed}
          rowId={({ title }) => title}
          columns={[
            { title: t.field, cell: ({ title }) => title },
            { title: t.before, cell: (field) => sayPart(field, former, config) },
            { title: t.now, cell: (field) => sayPart(field, config, former) },
          ]}
        />
      )}
    </Notice>
  );
}

/** Describes a field in words. If the words of both versions are the same, returns the stored form instead. */
function sayPart({ part, say }: Field, shown: RoutingConfig, other: RoutingConfig): ReactNode {
  return say(shown) === say(other) ? <code>{JSON.stringify(part(shown))}</code> : say(shown);
}
