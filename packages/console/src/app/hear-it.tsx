import { DialplaneError } from '@dialplane/sdk/resources';
import { Square, Volume2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { HEADERS } from '../api/client.ts';
import type { Speak } from '../api/generated/operator-types.ts';
import { PREFIX } from '../lib/location.ts';
import { texts } from '../texts/parts.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';

const t = texts.hearIt;

type HearItProps = {
  /** The name of the audio, such as "greeting". */
  what: string;
  text: string;
  /** True if the announcement of a recording comes before the text. */
  announcesRecording?: boolean;
};

/** Plays a text as callers hear it. The audio of an unchanged text is requested once. */
export function HearIt({ what, text, announcesRecording = false }: HearItProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const [spoken, setSpoken] = useState<{ readonly wanted: string; readonly url: string }>();
  const [state, setState] = useState<'silent' | 'asking' | 'playing'>('silent');
  const [error, setError] = useState<unknown>(null);
  useEffect(() => () => URL.revokeObjectURL(spoken?.url ?? ''), [spoken]);
  const isEmpty = text.trim() === '';
  const body = { text: isEmpty ? null : text, announces_recording: announcesRecording };
  const wanted = JSON.stringify(body);
  const hear = async () => {
    setError(null);
    setState('asking');
    try {
      const url = spoken?.wanted === wanted ? spoken.url : URL.createObjectURL(await speak(body));
      setSpoken({ wanted, url });
      const player = audio.current as HTMLAudioElement;
      if (player.src !== url) player.src = url;
      await player.play();
    } catch (problem) {
      setError(problem);
      setState('silent');
    }
  };
  const isPlaying = state === 'playing';
  return (
    <div role="group" aria-label={t.audio(what)}>
      {/* biome-ignore lint/a11y/useMediaCaption: the text is in the field beside it */}
      <audio
        ref={audio}
        onPlay={() => setState('playing')}
        onPause={() => setState('silent')}
        onEnded={() => setState('silent')}
      />
      <Button
        small
        aria-label={isPlaying ? t.stopOf(what) : t.hearItOf(what)}
        isDisabled={isEmpty && !announcesRecording}
        isPending={state === 'asking'}
        onPress={() => (isPlaying ? audio.current?.pause() : void hear())}
      >
        {isPlaying ? <Square aria-hidden /> : <Volume2 aria-hidden />} {isPlaying ? t.stop : t.hearIt}
      </Button>
      <ErrorNote error={error} />
    </div>
  );
}

/** Returns the text as callers hear it (WAV). Throws the error of the API. */
async function speak(wanted: Speak): Promise<Blob> {
  const reply = await fetch(`${PREFIX}/console/api/speech`, {
    method: 'POST',
    headers: { ...HEADERS, 'content-type': 'application/json' },
    body: JSON.stringify(wanted),
  });
  if (reply.ok) return await reply.blob();
  const { error } = (await reply.json()) as { error: { code: string; message: string } };
  throw new DialplaneError(error.code, error.message);
}
