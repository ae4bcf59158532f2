import { Grid3x3 } from 'lucide-react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { useWrite } from '../../api/queries.ts';
import { texts } from '../../texts/phones.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import type { PhoneCall } from './desk.ts';
import css from './phones.module.css';

const t = texts.keypad;

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;

/** The keys of a phone, for menus. */
export function Keypad({ call: { id, party } }: { call: PhoneCall }) {
  const press = useWrite((api, digits: string) => api.test.dtmfCall(id, { digits, party }), {
    changes: ['calls'],
    isRepeatable: true,
  });
  return (
    <DialogTrigger>
      <Button small>
        <Grid3x3 aria-hidden /> {t.keypad}
      </Button>
      <Popover className={css.popover ?? ''}>
        <Dialog aria-label={t.keypad} className={css.keypad ?? ''}>
          <div className={css.keys}>
            {KEYS.map((key) => (
              <Button key={key} aria-label={t.key(key)} onPress={() => press.mutate(key)}>
                {key}
              </Button>
            ))}
          </div>
          <ErrorNote error={press.error} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
