import type { ErrorEntry } from './errors.ts';

/** Codes of opt-in forms, a part of `ERRORS`. */
export const OPT_IN_ERRORS = {
  opt_in_form_not_found: {
    status: 404,
    group: 'compliance',
    message: 'There is no such opt-in form.',
    remedy: 'Check the id. A deleted form is not found any more, and its page is gone.',
  },
  missing_consent: {
    status: 422,
    group: 'compliance',
    message: 'The opt-in form was sent without consent.',
    remedy: 'The person has to tick the box themselves; send consent as "yes" only if they did.',
  },
} as const satisfies Record<string, ErrorEntry>;
