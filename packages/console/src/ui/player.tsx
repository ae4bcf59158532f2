import { Pause, Play } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { formatLength } from '../lib/dates.ts';
import { IconButton } from './button.tsx';
import { ErrorNote } from './error-note.tsx';
import css from './player.module.css';

type PlayerProps = {
  /** The address of the audio, on this server. */
  src: string;
  /** What is played, such as "Voicemail of (602) 555-0144". */
  title: string;
  /** Called with the place in seconds as the audio plays. */
  onTime?: (seconds: number) => void;
  /** Where to play from, and a number that is new for each wish. */
  seek?: { readonly seconds: number; readonly wish: number };
};

const BARS = 120;
const STEP_SECONDS = 5;

/** Plays audio with a picture of its loudness, which is also where to jump to. */
export function Player({ src, title, onTime, seek }: PlayerProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const { peaks, length, error } = useWaveform(src);
  const jump = (to: number) => {
    if (audio.current === null) return;
    audio.current.currentTime = Math.min(Math.max(0, to), length);
    setSeconds(audio.current.currentTime);
    onTime?.(audio.current.currentTime);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new wish jumps
  useEffect(() => {
    if (seek === undefined || audio.current === null) return;
    jump(seek.seconds);
    void audio.current.play();
  }, [seek?.wish]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? STEP_SECONDS : event.key === 'ArrowLeft' ? -STEP_SECONDS : 0;
    if (step === 0) return;
    event.preventDefault();
    jump(seconds + step);
  };
  if (error !== undefined) return <ErrorNote error={error} />;
  return (
    <div className={css.player} role="group" aria-label={title}>
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript stands beside the player */}
      <audio
        ref={audio}
        src={src}
        preload="none"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={({ currentTarget }) => {
          setSeconds(currentTarget.currentTime);
          onTime?.(currentTarget.currentTime);
        }}
      />
      <IconButton
        label={isPlaying ? 'Pause' : 'Play'}
        onPress={() => void (isPlaying ? audio.current?.pause() : audio.current?.play())}
      >
        {isPlaying ? <Pause /> : <Play />}
      </IconButton>
      <div
        role="slider"
        tabIndex={0}
        aria-label="Place in the audio"
        aria-valuemin={0}
        aria-valuemax={Math.round(length)}
        aria-valuenow={Math.round(seconds)}
        aria-valuetext={`${formatLength(seconds)} of ${formatLength(length)}`}
        className={css.wave}
        onKeyDown={onKeyDown}
        onClick={({ currentTarget, clientX }) => {
          const { left, width } = currentTarget.getBoundingClientRect();
          jump(((clientX - left) / width) * length);
        }}
      >
        <svg viewBox={`0 0 ${BARS} 40`} preserveAspectRatio="none" aria-hidden="true">
          {peaks.map((peak, index) => (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
              key={index}
              x={index + 0.15}
              y={20 - Math.max(0.8, 18 * peak)}
              width={0.7}
              height={Math.max(1.6, 36 * peak)}
              className={(index + 0.5) / BARS <= seconds / (length || 1) ? css.played : css.ahead}
            />
          ))}
        </svg>
      </div>
      <span className={css.time}>
        {formatLength(seconds)} / {formatLength(length)}
      </span>
    </div>
  );
}

type Waveform = { readonly peaks: readonly number[]; readonly length: number; readonly error: unknown };

/** Reads the audio and returns its loudness in {@link BARS} parts, 0 to 1, and its length in seconds. */
function useWaveform(src: string): Waveform {
  const [waveform, setWaveform] = useState<Waveform>({ peaks: [], length: 0, error: undefined });
  useEffect(() => {
    const ender = new AbortController();
    readWaveform(src, ender.signal).then(
      (read) => setWaveform({ ...read, error: undefined }),
      (error: unknown) => {
        if (!ender.signal.aborted) setWaveform({ peaks: [], length: 0, error });
      },
    );
    return () => ender.abort();
  }, [src]);
  return waveform;
}

async function readWaveform(src: string, signal: AbortSignal): Promise<{ peaks: number[]; length: number }> {
  const response = await fetch(src, { signal });
  if (!response.ok) throw new Error(`The audio was not found (${response.status}).`);
  const content = await response.arrayBuffer();
  const decoded = await new OfflineAudioContext(1, 1, 16_000).decodeAudioData(content);
  return { peaks: peaksOf(decoded), length: decoded.duration };
}

/** Returns the loudest sample of each part, of all channels, as a share of the loudest of all. */
function peaksOf(audio: AudioBuffer): number[] {
  const channels = Array.from({ length: audio.numberOfChannels }, (_, channel) => audio.getChannelData(channel));
  const part = Math.max(1, Math.ceil(audio.length / BARS));
  const peaks = Array.from({ length: BARS }, (_, bar) => {
    let peak = 0;
    for (const samples of channels) {
      for (let index = bar * part; index < Math.min(samples.length, (bar + 1) * part); index += 1) {
        peak = Math.max(peak, Math.abs(samples[index] ?? 0));
      }
    }
    return peak;
  });
  const highest = Math.max(0.05, ...peaks);
  return peaks.map((peak) => peak / highest);
}
