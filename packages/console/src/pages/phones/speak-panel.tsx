import { useMutation } from '@tanstack/react-query';
import { AudioLines, FileAudio, Square } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useWrite } from '../../api/queries.ts';
import { texts } from '../../texts/phones.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import type { Desk, PhoneCall } from './desk.ts';
import css from './phones.module.css';
import { makeTone } from './sounds.ts';

const t = texts.speakPanel;

const TONE_HZ = 700;
const TONE_SECONDS = 3;

/** Ways to speak without a microphone: words, a tone, a file. */
export function SpeakPanel({ desk, call }: { desk: Desk; call: PhoneCall }) {
  const { id, party, line } = call;
  const [text, setText] = useState('');
  const say = useWrite((api, words: string) => api.test.speechCall(id, { speaker: party, text: words }), {
    changes: ['calls'],
    onDone: () => setText(''),
  });
  const playFile = useMutation({
    mutationFn: async (file: File) => line?.play(await desk.lines.decode(file)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') say.mutate(text);
  };
  return (
    <>
      <form className={css.say} onSubmit={submit}>
        <TextField
          label={t.say}
          isLabelHidden
          placeholder={t.wordsToSay}
          maxLength={1000}
          value={text}
          onChange={setText}
        />
        <Button type="submit" small isDisabled={say.isPending}>
          {t.say}
        </Button>
      </form>
      {line !== undefined && (
        <div className={css.buttons}>
          {line.state.isPlaying ? (
            <Button small onPress={line.stopPlaying}>
              <Square aria-hidden /> {t.stopTheSound}
            </Button>
          ) : (
            <>
              <Button small onPress={() => line.play(makeTone(TONE_HZ, TONE_SECONDS))}>
                <AudioLines aria-hidden /> {t.playATone}
              </Button>
              <FileTrigger
                acceptedFileTypes={['audio/*']}
                onSelect={(files) => files?.[0] !== undefined && playFile.mutate(files[0])}
              >
                <Button small isDisabled={playFile.isPending}>
                  <FileAudio aria-hidden /> {t.playAFile}
                </Button>
              </FileTrigger>
            </>
          )}
        </div>
      )}
      <ErrorNote error={say.error ?? playFile.error} />
    </>
  );
}
