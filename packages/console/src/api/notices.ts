import { operatorApi } from './client.ts';
import type { Notice, SettleNotice } from './generated/operator-types.ts';

const SETTLED = '/console/api/settled_notices';

/** The notices where an operator is needed, the unsettled ones first. */
export const listNotices = async () =>
  (await operatorApi.send<{ readonly data: readonly Notice[] }>('GET', '/console/api/notices', {})).data;

const keyOf = ({ kind, subject_id, state }: SettleNotice): SettleNotice => ({ kind, subject_id, state });

/** Settles a notice for all operators. */
export const settleNotice = (notice: SettleNotice) =>
  operatorApi.send<Notice>('POST', SETTLED, { body: keyOf(notice) });

/** Opens a settled notice again. */
export const reopenNotice = (notice: SettleNotice) =>
  operatorApi.send<void>('DELETE', SETTLED, { query: keyOf(notice) });
