import { Download, Pause, Play } from 'lucide-react';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { formatLength } from '../lib/dates.ts';
import { texts } from '../texts/parts.ts';
import { IconButton } from './button.tsx';
import { type Peaks, readPeaks } from './peaks.ts';
import css from './player.module.css';

const t = texts.player;

type PlayerProps = {
  /** The address of the audio, on this origin. */
  src: string;
  /** The name of the audio, such as "Recording"; part of the names of the controls. */
  title: string;
  /** The length if it is known. It is shown until the audio is read. */
  seconds?: number;
  /** Called with the position while it plays, and after a seek. */
  onTime?: (seconds: number) => void;
  /** The position to play from, and a number that changes with each request. */
  seek?: { readonly seconds: number; readonly wish: number };
};

const SKIP_SECONDS = 5;
const RATES = [1, 1.5, 2];

/** Plays audio, with its waveform. The waveform is a slider: click, or arrow keys, Home and End. */
export function Player({ src, title, seconds = 0, onTime, seek }: PlayerProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [isFailed, setFailed] = useState(false);
  const [rate, setRate] = useState(1);
  const [at, setAt] = useState(0);
  const [known, setKnown] = useState(0);
  const { box, peaks } = usePeaks(src);
  const length = known || peaks?.seconds || seconds;

  const moved = () => {
    const now = audio.current?.currentTime ?? 0;
    setAt(now);
    onTime?.(now);
  };
  const seekTo = (to: number) => {
    if (audio.current === null) return;
    audio.current.currentTime = Math.min(Math.max(0, to), length);
    moved();
  };
  useFrames(isPlaying, moved);
  const play = () => {
    setFailed(false);
    void audio.current?.play().catch(() => setFailed(true));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new wish seeks
  useEffect(() => {
    if (seek === undefined) return;
    seekTo(seek.seconds);
    play();
  }, [seek?.wish]);
  const nextRate = () => {
    const next = RATES[(RATES.indexOf(rate) + 1) % RATES.length] as number;
    if (audio.current !== null) audio.current.playbackRate = next;
    setRate(next);
  };
  return (
    <div className={css.player} ref={box} role="group" aria-label={title}>
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript of a call is beside it, and follows it */}
      <audio
        ref={audio}
        src={src}
        preload="none"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setPlaying(false)}
        onError={() => setFailed(true)}
        onDurationChange={(event) => setKnown(finite(event.currentTarget.duration))}
        onSeeked={moved}
      />
      <IconButton
        kind="primary"
        label={isPlaying ? t.pause(title) : t.play(title)}
        onPress={() => (isPlaying ? audio.current?.pause() : play())}
      >
        {isPlaying ? <Pause /> : <Play />}
      </IconButton>
      <Waveform title={title} peaks={peaks} at={at} length={length} onSeek={seekTo} />
      <span className={css.time}>
        {formatLength(at)} / {formatLength(length)}
      </span>
      <IconButton label={t.speed(rate)} small onPress={nextRate}>
        <span className={css.rate}>{rate}×</span>
      </IconButton>
      <a className={css.download} href={src} download aria-label={t.download(title)}>
        <Download aria-hidden />
      </a>
      {isFailed && (
        <p role="alert" className={css.failed}>
          {t.audioCannotPlayed}
        </p>
      )}
    </div>
  );
}

const finite = (seconds: number) => (Number.isFinite(seconds) ? seconds : 0);

/** Reads the waveform once the player is in the window, because a list may have many players. */
function usePeaks(src: string) {
  const box = useRef<HTMLDivElement>(null);
  const [peaks, setPeaks] = useState<Peaks>();
  useEffect(() => {
    let isLeft = false;
    setPeaks(undefined);
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watcher.disconnect();
      // Without the waveform the audio still plays. If it does not, playing it shows the error.
      readPeaks(src).then(
        (read) => !isLeft && setPeaks(read),
        () => undefined,
      );
    });
    if (box.current !== null) watcher.observe(box.current);
    return () => {
      isLeft = true;
      watcher.disconnect();
    };
  }, [src]);
  return { box, peaks };
}

/** Calls back before each frame while audio plays. The event `timeupdate` comes only four times a second. */
function useFrames(isPlaying: boolean, onFrame: () => void): void {
  const latest = useRef(onFrame);
  latest.current = onFrame;
  useEffect(() => {
    if (!isPlaying) return;
    let frame = requestAnimationFrame(function next() {
      latest.current();
      frame = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying]);
}

const HEIGHT = 36;
const BAR = 3;
const FLAT: readonly number[] = Array.from({ length: 80 }, () => 0);

type WaveformProps = {
  title: string;
  peaks: Peaks | undefined;
  at: number;
  length: number;
  onSeek: (seconds: number) => void;
};

function Waveform({ title, peaks, at, length, onSeek }: WaveformProps) {
  const values = peaks?.values ?? FLAT;
  const width = values.length * BAR;
  const share = length === 0 ? 0 : Math.min(1, at / length);
  const pointed = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width: whole } = event.currentTarget.getBoundingClientRect();
    onSeek(((event.clientX - left) / whole) * length);
  };
  const keys: Readonly<Record<string, number>> = {
    ArrowRight: at + SKIP_SECONDS,
    ArrowUp: at + SKIP_SECONDS,
    ArrowLeft: at - SKIP_SECONDS,
    ArrowDown: at - SKIP_SECONDS,
    PageUp: at + SKIP_SECONDS * 2,
    PageDown: at - SKIP_SECONDS * 2,
    Home: 0,
    End: length,
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t.position(title)}
      aria-valuemin={0}
      aria-valuemax={Math.round(length)}
      aria-valuenow={Math.round(at)}
      aria-valuetext={t.of(formatLength(at), formatLength(length))}
      className={css.wave}
      onPointerDown={pointed}
      onPointerMove={(event) => event.buttons === 1 && pointed(event)}
      onKeyDown={(event) => {
        const to = keys[event.key];
        if (to === undefined) return;
        event.preventDefault();
        onSeek(to);
      }}
    >
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        {values.map((value, index) => {
          const height = Math.max(1.5, value * HEIGHT);
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
              key={index}
              x={index * BAR}
              y={(HEIGHT - height) / 2}
              width={BAR - 1}
              height={height}
              className={index < share * values.length ? css.played : css.ahead}
            />
          );
        })}
      </svg>
    </div>
  );
}
