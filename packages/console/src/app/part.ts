import { type ComponentType, useEffect, useState } from 'react';
import { texts } from '../texts/app.ts';
import { say } from '../ui/toast.tsx';

const t = texts.standingBar;

/**
 * Loads a part of the frame when it is needed. If the server does not answer, the page stays, and the part is loaded
 * when it is needed again.
 */
export function usePart<Props>(
  load: () => Promise<ComponentType<Props>>,
  isWanted: boolean,
  onFailed: () => void,
): ComponentType<Props> | undefined {
  const [loaded, setLoaded] = useState<{ Part: ComponentType<Props> }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: one attempt each time that it is wanted
  useEffect(() => {
    if (!isWanted || loaded !== undefined) return;
    load()
      .then((Part) => setLoaded({ Part }))
      .catch(() => {
        say(t.serverDoesNot);
        onFailed();
      });
  }, [isWanted]);
  return loaded?.Part;
}
