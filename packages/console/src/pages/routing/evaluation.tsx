import type { EvaluateRoutingConfigReply } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { momentOf } from '../../lib/wall-time.ts';
import { useZone } from '../../lib/zone.ts';
import { texts } from '../../texts/routing.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Card } from '../../ui/page.tsx';
import { rich } from '../../ui/rich.tsx';
import { describe, targetText } from './describe.ts';
import type { Behavior, Menu, Ring } from './draft.ts';
import css from './routing.module.css';

const t = texts.evaluation;

type EvaluationProps = { configId: string; tenantId: string; isChanged: boolean };

const NOW_EVERY_MS = 30_000;

/** Shows who would ring now or at a chosen time, and where the keys of menus lead. Nothing rings. */
export function Evaluation({ configId, tenantId, isChanged }: EvaluationProps) {
  const { name: zone } = useZone(tenantId);
  const [wall, setWall] = useState('');
  const [digits, setDigits] = useState('');
  const query = {
    ...(wall !== '' && { at: momentOf(wall, zone) }),
    ...(digits !== '' && { digits }),
  };
  const { data, error } = useRead(
    ['routing_configs', configId, 'evaluation', query],
    (api) => api.routingConfigs.evaluate(configId, query),
    wall === '' ? { everyMs: NOW_EVERY_MS } : {},
  );
  return (
    <Card label={t.whoRings}>
      <h2 className={css.heading}>{t.whoRings}</h2>
      <TextField label={t.at} type="datetime-local" hint={t.nowIfEmpty(zone)} value={wall} onChange={setWall} />
      <ErrorNote error={error} />
      {data !== undefined && (
        <Verdict reply={data} tenantId={tenantId} onKey={(key) => setDigits((data.path ?? '') + key)} />
      )}
      {digits !== '' && (
        <div>
          <Button small onPress={() => setDigits('')}>
            {t.backStart}
          </Button>
        </div>
      )}
      {isChanged && <p className={css.dim}>{t.savedVersionSave}</p>}
    </Card>
  );
}

type VerdictProps = { reply: EvaluateRoutingConfigReply; tenantId: string; onKey: (key: string) => void };

function Verdict({ reply, tenantId, onKey }: VerdictProps) {
  const behavior = reply.behavior as Behavior;
  const { path = '' } = reply;
  return (
    <div className={css.verdict} role="status">
      <p>
        <Badge tone={reply.open ? 'ok' : 'warn'}>{reply.open ? t.open : t.closed}</Badge>{' '}
        <Moment at={reply.at} tenantId={tenantId} format="long" />
      </p>
      {path !== '' && <p>{rich(t.afterTheKeys, <strong>{path.split('').join(' ')}</strong>)}</p>}
      {behavior.type === 'ring' && (
        <>
          <p>{behavior.strategy === 'sequential' ? t.oneAfterOther : t.atOnceRing}</p>
          <ol className={css.steps}>
            {reply.targets.map((target) => (
              <li key={target}>{targetText(target)}</li>
            ))}
          </ol>
          <p className={css.dim}>{lengthOf(behavior)(behavior.timeout_seconds)}</p>
        </>
      )}
      {behavior.type === 'voicemail' && (
        <>
          <p>{t.nobodyRingsVoicemail}</p>
          <blockquote className={css.quote}>{behavior.greeting_text}</blockquote>
        </>
      )}
      {behavior.type === 'relay' && <p>{describe(behavior)}.</p>}
      {behavior.type === 'menu' && <MenuVerdict menu={behavior} onKey={onKey} />}
    </div>
  );
}

function MenuVerdict({ menu: { prompt, options, otherwise }, onKey }: { menu: Menu; onKey: (key: string) => void }) {
  return (
    <>
      <p>{t.callerHearsMenu}</p>
      <blockquote className={css.quote}>{prompt}</blockquote>
      <div className={css.keys} role="group" aria-label={t.keysMenu}>
        {Object.keys(options).map((key) => (
          <Button key={key} small onPress={() => onKey(key)} aria-label={t.press(key)}>
            {key}
          </Button>
        ))}
      </div>
      <p className={css.dim}>{t.withoutAKey(describe(otherwise))}</p>
    </>
  );
}

/** Returns the sentence about how long the targets ring, and what follows. */
function lengthOf({ strategy, no_answer: next }: Ring) {
  if (strategy === 'sequential') return next === null ? t.eachThenMissed : t.eachThenVoicemail;
  return next === null ? t.thenMissed : t.thenVoicemail;
}
