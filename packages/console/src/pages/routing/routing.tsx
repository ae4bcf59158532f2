import type { RoutingConfig } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger, usePageId } from '../../app/ledger.ts';
import { texts } from '../../texts/routing.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Page } from '../../ui/page.tsx';
import { FormerRouting } from './former-routing.tsx';
import { RoutingEditor } from './routing-editor.tsx';

const t = texts.routing;

const HOLD_AUDIO_EVERY_MS = 3_000;

/** The editor of a routing config. With `at` in the address, it shows the config as it was at that moment. */
export function RoutingConfigPage() {
  const id = usePageId();
  const [{ at }] = useFilters();
  const [isFetching, setFetching] = useState(false);
  const { data: config, error } = useRead(['routing_configs', id], (api) => api.routingConfigs.get(id), {
    ...(isFetching && { everyMs: HOLD_AUDIO_EVERY_MS }),
  });
  const isPending = config?.hold_audio_status === 'pending';
  if (isPending !== isFetching) setFetching(isPending);
  if (error !== null) {
    return (
      <Page title={t.routing}>
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (config === undefined) return <Loading />;
  return (
    <Page title={config.name} actions={<DeleteRouting config={config} />}>
      {at !== undefined && <FormerRouting config={config} at={at} />}
      <RoutingEditor key={config.id} config={config} />
    </Page>
  );
}

function DeleteRouting({ config: { id, name } }: { config: RoutingConfig }) {
  const ledger = useLedger();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = useWrite((api) => api.routingConfigs.delete(id), {
    changes: [],
    done: t.isDeleted(name),
    onDone: () => navigate({ to: ledgerPath(ledger, 'routing'), ignoreBlocker: true }),
  });
  return (
    <>
      <Button kind="danger" onPress={() => setAsking(true)}>
        {t.delete}
      </Button>
      <Confirm
        title={t.deleteOf(name)}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirm={t.delete}
        onConfirm={() => remove.mutate(undefined)}
        isPending={remove.isPending}
        error={remove.error}
      >
        {t.cannotUndoneNumbers}
      </Confirm>
    </>
  );
}
