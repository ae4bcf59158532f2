import type { RoutingConfig } from '@dialplane/sdk/resources';
import { type ReactNode, useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { HearIt } from '../../app/hear-it.tsx';
import { texts } from '../../texts/routing.ts';
import { Status } from '../../ui/badge.tsx';
import { Checkbox, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { rich } from '../../ui/rich.tsx';
import { BehaviorEditor } from './behavior-editor.tsx';
import { bodyOf, type Draft, draftOf, fieldsOf } from './draft.ts';
import { Evaluation } from './evaluation.tsx';
import { Holidays } from './holidays.tsx';
import { NumbersOfRouting } from './numbers-of-routing.tsx';
import css from './routing.module.css';
import { newSpan } from './spans.ts';
import { WeekGrid } from './week-grid.tsx';

const t = texts.routingEditor;

/** Edits a routing config, and shows next to it the effect at a chosen time. Nothing changes until it is saved. */
export function RoutingEditor({ config }: { config: RoutingConfig }) {
  const { id, tenant_id: tenantId } = config;
  const [saved, setSaved] = useState(() => draftOf(config));
  const [draft, setDraft] = useState(saved);
  const isChanged = draft !== saved;
  const save = useWrite((api, next: Draft) => api.routingConfigs.replace(id, bodyOf(next, tenantId)), {
    changes: ['routing_configs'],
    done: t.savedCallsFrom,
    onDone: (_, next) => setSaved(next),
  });
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  return (
    <div className={css.columns}>
      <Form
        stays
        isChanged={isChanged}
        submit={isChanged ? t.save : t.saved}
        fields={fieldsOf(draft)}
        error={save.error}
        isPending={save.isPending}
        onSubmit={() => save.mutate(draft)}
        {...(isChanged && { onCancel: () => setDraft(saved) })}
      >
        <Card label={t.name}>
          <TextField
            name="name"
            label={t.name}
            isRequired
            maxLength={200}
            value={draft.name}
            onChange={(name) => set({ name })}
          />
        </Card>
        <HoursCard draft={draft} tenantId={tenantId} onChange={set} />
        <Part title={t.whenOpen}>
          <BehaviorEditor
            label={t.theCaller}
            types={['ring', 'menu', 'queue', 'relay']}
            path="open_behavior"
            value={draft.open}
            onChange={(open) => set({ open })}
            tenantId={tenantId}
            depth={0}
          />
        </Part>
        {draft.spans !== null && (
          <Part title={t.whenClosed}>
            <BehaviorEditor
              label={t.theCaller}
              path="closed_behavior"
              value={draft.closed}
              onChange={(closed) => set({ closed })}
              tenantId={tenantId}
              depth={0}
            />
          </Part>
        )}
        <AudioCard draft={draft} config={config} onChange={set} />
      </Form>
      <aside className={css.side}>
        <Evaluation configId={id} tenantId={tenantId} isChanged={isChanged} />
        <NumbersOfRouting configId={id} tenantId={tenantId} />
      </aside>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card label={title}>
      <h2 className={css.heading}>{title}</h2>
      {children}
    </Card>
  );
}

type PartProps = { draft: Draft; onChange: (change: Partial<Draft>) => void };

const OFFICE_DAYS = [0, 1, 2, 3, 4];

function HoursCard({ draft: { spans, holidays }, tenantId, onChange }: PartProps & { tenantId: string }) {
  const { data: tenant } = useRead(['tenants', tenantId], (api) => api.tenants.get(tenantId));
  const limit = (hasHours: boolean) =>
    onChange({ spans: hasHours ? OFFICE_DAYS.map((day) => newSpan(day, 9 * 60, 17 * 60)) : null });
  return (
    <Part title={t.hours}>
      <Checkbox isSelected={spans !== null} onChange={limit}>
        {t.openingHoursOtherwise}
      </Checkbox>
      {spans !== null && (
        <>
          <WeekGrid spans={spans} onChange={(next) => onChange({ spans: next })} />
          <p className={css.dim}>{t.timesThoseZone(tenant?.timezone ?? t.theTenant)}</p>
          <Holidays holidays={holidays} onChange={(next) => onChange({ holidays: next })} />
        </>
      )}
    </Part>
  );
}

function AudioCard({ draft, config, onChange }: PartProps & { config: RoutingConfig }) {
  const { isRecorded, isAnnounced, listeningAnnouncement, holdAudioUrl } = draft;
  const { hold_audio_status: status, hold_audio_error: problem } = config;
  return (
    <Part title={t.recordingHoldAudio}>
      <Checkbox isSelected={isRecorded} onChange={(next) => onChange({ isRecorded: next })}>
        {t.recordTheCalls}
      </Checkbox>
      <Checkbox isSelected={isAnnounced} isDisabled={!isRecorded} onChange={(next) => onChange({ isAnnounced: next })}>
        {t.bothPartiesHear}
      </Checkbox>
      <TextField
        name="listening_announcement"
        label={t.announcementBeforeSoftware}
        hint={t.spokenBeforeStream}
        value={listeningAnnouncement}
        onChange={(next) => onChange({ listeningAnnouncement: next })}
      />
      <HearIt what="announcement" text={listeningAnnouncement} announcesRecording={isRecorded && isAnnounced} />
      <TextField
        name="hold_audio_url"
        label={t.holdAudio}
        type="url"
        placeholder={t.httpsMediaExample}
        hint={t.addressWavMp3}
        value={holdAudioUrl}
        onChange={(next) => onChange({ holdAudioUrl: next })}
      />
      {status !== null && <p className={css.dim}>{rich(t.fileSaved, <Status status={status} />, problem)}</p>}
    </Part>
  );
}
