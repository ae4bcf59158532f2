import { pathOf } from '../../../http/schemas/refusal.ts';
import type { FieldError } from '../../../lib/errors/errors.ts';
import { fieldError, refuseFields } from '../../../lib/errors/field-errors.ts';
import { isSipPhone } from '../../../lib/phone/agent-address.ts';
import { isDialable } from '../../../lib/phone/phone.ts';
import { checkTargetUrl } from '../../../outbound/address-guard.ts';
import type { WantedBehavior } from './behavior-schema.ts';
import { fillBehavior, fillDefaults } from './fill-defaults.ts';
import { wrongRelayUrl } from './relay-settings.ts';
import { APPLICATION, BEHAVIORS_MAX, WEB_CLIENT_ID } from './rules.ts';
import type { BusinessHours, CreateRoutingConfig } from './schema.ts';
import { type Placed, walkBehavior, walkBehaviors } from './walk-behaviors.ts';

/**
 * Checks the rules that the schema does not: targets that can be rung, the number of behaviors, the addresses of hold
 * audio and of agents, and holidays that do not contradict themselves. Errors: invalid_body, invalid_url.
 * @param allowLocalHttp whether hold audio and agents may be on this machine
 */
export function checkRouting(wanted: CreateRoutingConfig, { allowLocalHttp }: { allowLocalHttp: boolean }): void {
  const holidays = wanted.business_hours?.holidays ?? [];
  const behaviors = [...walkBehaviors(fillDefaults(wanted))];
  refuseFields([
    ...holidays.flatMap(wrongInHoliday),
    ...repeatedHolidays(holidays),
    ...wrongBehaviors(behaviors, allowLocalHttp),
    ...wrongHoldAudio(wanted.hold_audio_url ?? null, allowLocalHttp),
  ]);
}

/** Checks a behavior that is the field `field` of a request, outside of a routing config. Error: invalid_body. */
export function checkBehavior(
  wanted: WantedBehavior,
  field: string,
  { allowLocalHttp }: { allowLocalHttp: boolean },
): void {
  refuseFields(wrongBehaviors([...walkBehavior(fillBehavior(wanted), [field])], allowLocalHttp));
}

function wrongBehaviors(behaviors: readonly Placed[], allowLocalHttp: boolean): FieldError[] {
  return [
    ...behaviors.flatMap(({ behavior, path }) =>
      behavior.type === 'ring' ? wrongTargets(path, behavior.targets) : [],
    ),
    ...behaviors.flatMap(({ behavior, path }) =>
      behavior.type === 'relay' ? wrongAgent(path, behavior.url, allowLocalHttp) : [],
    ),
    ...behaviors.slice(BEHAVIORS_MAX, BEHAVIORS_MAX + 1).map(({ path }) => oneTooMany(pathOf(path))),
  ];
}

function wrongHoldAudio(url: string | null, allowLocalHttp: boolean): FieldError[] {
  const check = url === null ? undefined : checkTargetUrl(url, { allowLocalHttp });
  return check === undefined || check.ok ? [] : [fieldError('hold_audio_url', 'invalid_body', check.message)];
}

function wrongAgent(path: readonly string[], url: string, allowLocalWs: boolean): FieldError[] {
  const message = wrongRelayUrl(url, { allowLocalWs });
  return message === undefined ? [] : [fieldError(pathOf([...path, 'url']), 'invalid_url', message)];
}

function oneTooMany(param: string): FieldError {
  const message = `There are at most ${BEHAVIORS_MAX} behaviors, those in menus included; "${param}" is one more.`;
  return fieldError(param, 'invalid_body', message);
}

type Holiday = NonNullable<BusinessHours['holidays']>[number];

function wrongInHoliday({ closed, open = null, close = null }: Holiday, index: number): FieldError[] {
  if (open === null && close === null) {
    return closed === false ? [wrongHoliday(index, 'open', 'is needed for a day that is not closed')] : [];
  }
  if (closed === true) return [wrongHoliday(index, 'closed', 'contradicts the hours given with it')];
  if (open === null) return [wrongHoliday(index, 'open', 'is needed where "close" is given')];
  if (close === null) return [wrongHoliday(index, 'close', 'is needed where "open" is given')];
  return [];
}

function repeatedHolidays(holidays: readonly Holiday[]): FieldError[] {
  const dates = new Set<string>();
  return holidays.flatMap(({ date }, index) =>
    dates.size === dates.add(date).size
      ? [wrongHoliday(index, 'date', 'is a holiday that has been listed before')]
      : [],
  );
}

function wrongHoliday(index: number, field: string, why: string): FieldError {
  const param = `business_hours.holidays[${index}].${field}`;
  return fieldError(param, 'invalid_body', `"${param}" ${why}.`);
}

function wrongTargets(path: readonly string[], targets: readonly string[]): FieldError[] {
  return targets.flatMap((target, index) => {
    if (target === APPLICATION || WEB_CLIENT_ID.test(target) || isSipPhone(target) || isDialable(target)) return [];
    const param = pathOf([...path, 'targets', `${index}`]);
    const what = `an E.164 number that can be dialled, a web client or telephone of the tenant, or ${APPLICATION}`;
    return [fieldError(param, 'invalid_body', `"${param}" must be ${what}.`)];
  });
}
