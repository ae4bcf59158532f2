import type { Call } from '@dialplane/sdk/resources';
import { useEffect, useState } from 'react';
import { useAgentName } from '../../app/agent.tsx';
import { formatLength } from '../../lib/dates.ts';
import { texts } from '../../texts/calls.ts';
import { words } from '../../ui/badge.tsx';
import { agentsOf, type BarKind, lanesOf } from './lanes.ts';
import css from './time-line.module.css';

const t = texts.timeLine;

const KINDS: Readonly<Record<BarKind, string>> = {
  ringing: t.ringing,
  talking: t.connected,
  held: t.onHold,
  voicemail: t.leavingAVoicemail,
};
const GROWS_EVERY_MS = 500;
/** A shorter call is drawn with this length, so that its marks do not overlap. */
const SHOWN_MIN_MS = 4_000;

/** A call as a drawing: a lane for each party, and a mark for each entry of its log. It grows while the call lasts. */
export function TimeLine({ call, nowMs }: { call: Call; nowMs: number }) {
  const startMs = Date.parse(call.started_at);
  const lastMs = Math.max(startMs, ...call.events.map(({ at }) => Date.parse(at)));
  const endMs = call.ended_at === null ? Math.max(nowMs, lastMs) : lastMs;
  const lengthMs = Math.max(SHOWN_MIN_MS, endMs - startMs);
  const place = (ms: number) => `${(100 * (ms - startMs)) / lengthMs}%`;
  const nameOf = useAgentName(call.tenant_id, agentsOf(call));
  return (
    <figure className={css.figure} aria-label={t.partiesCallTime}>
      {lanesOf(call, nameOf).map(({ id, name, bars }) => (
        <div key={id} className={css.lane}>
          <span className={css.name}>{name}</span>
          <div className={css.track}>
            {bars.map(({ kind, fromMs, toMs }) => {
              const width = (toMs ?? endMs) - fromMs;
              const text = t.for(name, KINDS[kind], formatLength(width / 1000));
              return (
                <span
                  key={fromMs}
                  role="img"
                  aria-label={text}
                  title={text}
                  className={`${css.bar} ${css[kind]}`}
                  style={{ left: place(fromMs), width: `${(100 * width) / lengthMs}%` }}
                />
              );
            })}
          </div>
        </div>
      ))}
      <div className={css.lane}>
        <span className={css.name}>{t.log}</span>
        <ol className={css.marks}>
          {call.events.map(({ type, at }, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: the log only grows at its end
              key={index}
              title={`${words(type)}, ${formatLength((Date.parse(at) - startMs) / 1000)}`}
              style={{ left: place(Date.parse(at)) }}
            >
              <span className="visually-hidden">
                {t.after(words(type), formatLength((Date.parse(at) - startMs) / 1000))}
              </span>
            </li>
          ))}
        </ol>
      </div>
      <div className={css.lane} aria-hidden>
        <span />
        <div className={css.scale}>
          <span>0:00</span>
          <span>{formatLength(lengthMs / 2000)}</span>
          <span>{formatLength(lengthMs / 1000)}</span>
        </div>
      </div>
      <Legend />
    </figure>
  );
}

function Legend() {
  return (
    <figcaption className={css.legend}>
      {(Object.keys(KINDS) as BarKind[]).map((kind) => (
        <span key={kind}>
          <i className={`${css.swatch} ${css[kind]}`} aria-hidden />
          {KINDS[kind]}
        </span>
      ))}
    </figcaption>
  );
}

/**
 * Returns the present time for the drawing of a running call, in ms. `clock` is the ledger's time when it was read. The
 * clock of test mode differs from the wall clock, but both run at the same speed.
 */
export function useRunningMs(isRunning: boolean, clock: Date | undefined): number {
  const [aheadMs, setAhead] = useState(0);
  const clockMs = clock?.getTime();
  useEffect(() => setAhead(clockMs === undefined ? 0 : clockMs - Date.now()), [clockMs]);
  const [ms, setMs] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setMs(Date.now()), GROWS_EVERY_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return ms + aheadMs;
}
