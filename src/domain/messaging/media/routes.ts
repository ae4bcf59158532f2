import { audioRoute } from '../../../http/audio/audio.ts';
import type { RoutePlugin } from '../../../http/edge/types.ts';
import { Id } from '../../../http/schemas/schemas.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { extensionOf, mediaTypeOf } from '../../../lib/http/media-types.ts';
import { visible } from '../../../lib/scope.ts';
import { Type } from '../../../lib/type.ts';
import { findMessage } from '../messages/queries.ts';
import { findMedia } from './queries.ts';

const params = Type.Object({ message_id: Id, position: Id });
const POSITION = /^\d{1,4}$/;

/** Types that a browser does not run; any other file is served without a type. */
const HARMLESS = /^(?:(?:audio|video)\/[\w.+-]+|image\/(?!svg)[\w.+-]+|application\/pdf|text\/vcard)$/;

/** `Retry-After` of a request for a file that is not fetched yet, in seconds. */
const FETCH_RETRY_AFTER_S = 5;

export const mediaRoutes: RoutePlugin = (api, context) => {
  audioRoute(api, context, {
    url: '/messages/:message_id/media/:position',
    tag: 'Messages',
    summary: 'Open a file of an inbound message',
    params,
    notFound: 'media_not_found',
    isAttachment: true,
    find: async (access, { message_id: messageId, position }) => {
      visible(access, await findMessage(context.db, access, messageId), 'message_not_found');
      if (!POSITION.test(position)) throw new ApiError('media_not_found');
      const row = await findMedia(context.db, access, { messageId, position: Number(position) });
      if (row === undefined) throw new ApiError('media_not_found');
      const { blob_key: key } = row;
      if (key === null) {
        const message = 'The carrier has not handed over this file yet.';
        throw new ApiError('media_not_found', { message, retryAfterS: FETCH_RETRY_AFTER_S });
      }
      const type = mediaTypeOf(row.content_type);
      const contentType = type !== null && HARMLESS.test(type) ? type : 'application/octet-stream';
      return { key, filename: `${messageId}-${position}.${extensionOf(contentType)}`, contentType };
    },
  });
};
