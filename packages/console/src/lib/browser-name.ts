import { texts } from '../texts/lib.ts';

const t = texts.browserName;

/** The order matters, because some browsers also name the browser that they are based on. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['HeadlessChrome', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Firefox', 'Firefox'],
  ['Version', 'Safari'],
] as const;

const SYSTEMS = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

/** Returns a browser's name and system, such as "Firefox 140 on Linux", from its User-Agent header. */
export function browserName(userAgent: string | null): string {
  if (userAgent === null) return t.unknown;
  for (const [token, name] of BROWSERS) {
    const version = new RegExp(`\\b${token}/(\\d+)`).exec(userAgent)?.[1];
    if (version === undefined) continue;
    const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
    return system === undefined ? `${name} ${version}` : t.on(`${name} ${version}`, system);
  }
  return userAgent.slice(0, 60);
}
