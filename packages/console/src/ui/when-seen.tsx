import { type ReactNode, useEffect, useRef, useState } from 'react';

const AHEAD_REM = 6;

/** Shows its children once the person has scrolled to their place. So their requests are not sent before. */
export function WhenSeen({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (place.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return isSeen ? children : <div ref={place} style={{ minHeight: `${AHEAD_REM}rem` }} />;
}
