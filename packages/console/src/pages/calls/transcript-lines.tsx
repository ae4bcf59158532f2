import type { Transcript } from '@dialplane/sdk/resources';
import { classes } from '../../lib/classes.ts';
import { formatLength } from '../../lib/dates.ts';
import { texts } from '../../texts/calls.ts';
import css from './transcript-lines.module.css';

const t = texts.transcriptLines;

type Segment = Transcript['segments'][number];

type TranscriptLinesProps = {
  segments: readonly Segment[];
  /** The time when the audio began. The position of a line in the audio is its time minus this time. */
  beganAt: string;
  /** The position of the playback; undefined before the first playback. */
  seconds: number | undefined;
  /** Plays from a position; undefined without audio. */
  onChoose: ((seconds: number) => void) | undefined;
};

/**
 * The spoken lines, with their speakers. The line that plays now is marked. A click on a line plays the audio from
 * there.
 */
export function TranscriptLines({ segments, beganAt, seconds, onChoose }: TranscriptLinesProps) {
  const beganMs = Date.parse(beganAt);
  const starts = segments.map(({ occurred_at }) => Math.max(0, (Date.parse(occurred_at) - beganMs) / 1000));
  const heard = seconds === undefined ? -1 : starts.findLastIndex((start) => start <= seconds);
  if (segments.length === 0) return <p className={css.none}>{t.noWordsTranscript}</p>;
  return (
    <ol className={css.lines} aria-label={t.transcript}>
      {segments.map(({ speaker, text }, index) => {
        const start = starts[index] ?? 0;
        const line = (
          <>
            <span className={css.who}>{speaker === 'agent' ? t.agent : t.customer}</span>
            <span className={css.at}>{formatLength(start)}</span>
            <span dir="auto" className={css.text}>
              {text}
            </span>
          </>
        );
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: segments are only added at the end
          <li key={index} className={classes(index === heard && css.heard)} aria-current={index === heard || undefined}>
            {onChoose === undefined ? (
              <div className={css.line}>{line}</div>
            ) : (
              <button type="button" className={css.line} onClick={() => onChoose(start)}>
                {line}
              </button>
            )}
          </li>
        );
      })}
    </ol>
  );
}
