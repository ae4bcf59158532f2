import { COMPLIANCE_TEXTS } from './compliance.ts';
import { MESSAGING_TEXTS } from './messaging.ts';
import type { OperationTexts } from './operation-text.ts';
import { PRIVACY_TEXTS } from './privacy.ts';
import { QUEUE_TEXTS } from './queues.ts';
import { SERVICE_TEXTS } from './service.ts';
import { TENANT_AND_NUMBER_TEXTS } from './tenants-numbers.ts';
import { TEST_MODE_TEXTS } from './test-mode.ts';
import { VOICE_TEXTS } from './voice.ts';

export type { OperationText, OperationTexts } from './operation-text.ts';

/** The document's text about each operation. The schemas have separate descriptions. */
export const OPERATION_TEXTS: OperationTexts = {
  ...TENANT_AND_NUMBER_TEXTS,
  ...COMPLIANCE_TEXTS,
  ...MESSAGING_TEXTS,
  ...VOICE_TEXTS,
  ...QUEUE_TEXTS,
  ...PRIVACY_TEXTS,
  ...SERVICE_TEXTS,
  ...TEST_MODE_TEXTS,
};
