import { PhoneCall } from 'lucide-react';
import { useState } from 'react';
import { texts } from '../../texts/calls.ts';
import { Button } from '../../ui/button.tsx';
import { PlaceCall } from '../inbox/place-call.tsx';

const t = texts.newCall;

/** A button that asks for the parties of a call, and places it. */
export function NewCall() {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind="primary" onPress={() => setAsking(true)}>
        <PhoneCall aria-hidden /> {t.newCall}
      </Button>
      <PlaceCall isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  );
}
