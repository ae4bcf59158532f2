import type { ErrorEntry } from './entry.ts';

/** Codes of numbers, emergency addresses and port-ins, a part of `ERRORS`. */
export const NUMBER_ERRORS = {
  invalid_phone: {
    status: 400,
    group: 'numbers',
    message: 'This is not a valid E.164 number.',
    remedy: 'Write it as + and digits, such as +16025550143.',
  },
  number_unavailable: {
    status: 409,
    group: 'numbers',
    message: 'This number is no longer available.',
    remedy: 'Search again and purchase another one.',
  },
  phone_number_not_found: {
    status: 404,
    group: 'numbers',
    message: 'There is no such phone number.',
    remedy: 'Check the id and that the key is of the same account and mode.',
  },
  e911_address_not_found: {
    status: 404,
    group: 'numbers',
    message: 'There is no such emergency address.',
    remedy: "Check the id; the address must be validated and belong to the number's tenant.",
  },
  e911_address_invalid: {
    status: 422,
    group: 'numbers',
    message: 'Emergency services cannot be sent to this address.',
    remedy: '"suggestions" in the error lists corrected addresses that would be accepted; it may be empty.',
  },
  e911_address_in_use: {
    status: 409,
    group: 'numbers',
    message: 'Numbers are registered at this emergency address.',
    remedy: 'Give those numbers another e911_address_id, or null. Then delete the address.',
  },
  invalid_phone_numbers: {
    status: 400,
    group: 'numbers',
    message: 'phone_numbers must list 1 to 100 different numbers in E.164 form.',
    remedy:
      'Write each as +1 and ten digits, such as +16025550143, and list each number once. Only US numbers can be ported in.',
  },
  numbers_not_portable: {
    status: 422,
    group: 'numbers',
    message: 'At least one of the numbers cannot be ported in.',
    remedy: 'The message says which and why; POST /v1/port_ins/check checks each number without any effect.',
  },
  port_in_not_found: {
    status: 404,
    group: 'numbers',
    message: 'There is no such port-in.',
    remedy: 'Check the id and that the key is of the same account and mode.',
  },
  port_in_not_submittable: {
    status: 409,
    group: 'numbers',
    message: 'This port-in can no longer be corrected or submitted.',
    remedy:
      'Only a port-in with status draft or action_needed can be corrected or submitted. Wait for port_in.status_changed, or create another one.',
  },
  port_in_not_cancellable: {
    status: 409,
    group: 'numbers',
    message: 'This port-in can no longer be cancelled.',
    remedy: 'Once the losing carrier has confirmed a date, the numbers move. Release them afterwards instead.',
  },
  unsupported_document: {
    status: 400,
    group: 'numbers',
    message: 'This file is not a PDF, PNG or JPEG.',
    remedy: 'Send the file itself as the body, not encoded and not in a form. Its first bytes tell its type.',
  },
  document_not_found: {
    status: 404,
    group: 'numbers',
    message: 'There is no such document.',
    remedy: "Take the id from the port-in's documents.",
  },
  too_many_documents: {
    status: 409,
    group: 'numbers',
    message: 'This port-in already has the maximum number of documents.',
    remedy: 'Delete one. A port-in has at most 10.',
  },
  invalid_service_address: {
    status: 400,
    group: 'numbers',
    message: 'service_address needs street, city, state (two letters) and postal_code (ZIP).',
    remedy: 'Give the address as the losing carrier has it on file.',
  },
} as const satisfies Record<string, ErrorEntry>;
