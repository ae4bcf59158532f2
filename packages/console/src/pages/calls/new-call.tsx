import { PhoneCall } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { PlaceCall } from '../inbox/place-call.tsx';

/** A button that asks for the parties of a call, and places it. */
export function NewCall() {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind="primary" onPress={() => setAsking(true)}>
        <PhoneCall aria-hidden /> New call
      </Button>
      <PlaceCall isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  );
}
