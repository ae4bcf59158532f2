/** `GET /recordings` and below. */
import { checkQuery, ok, orNotFound, PAGE_PARAMETERS, page } from '../replies.ts';
import type { Route } from '../routes.ts';
import type { World } from '../world.ts';
import type { Recording } from './audio-state.ts';
import { linkTo } from './recording-files.ts';

const FIELDS = ['call_control_id', 'call_leg_id', 'call_session_id', 'connection_id', 'from', 'to'] as const;
/** The filters by time, each with the field that it compares. */
const TIMES = {
  created_at: 'created_at',
  start_time: 'recording_started_at',
  end_time: 'recording_ended_at',
} as const;

const FILTERS = [
  ...FIELDS.map((field) => `filter[${field}]`),
  ...Object.keys(TIMES).flatMap((time) => [`filter[${time}][gte]`, `filter[${time}][lte]`]),
];

export function recordingRoutes(world: World): Route[] {
  const { recordings } = world.state.audio;
  const show = (recording: Recording) => {
    const { file, ...fields } = recording;
    const download_urls = { wav: linkTo(world, file) };
    const rest = { initiated_by: 'StartCallRecordingAPI', source: 'call', status: 'completed' };
    return { record_type: 'recording', ...fields, updated_at: recording.created_at, ...rest, download_urls };
  };
  return [
    {
      name: 'GET /recordings',
      answer: ({ query }) => {
        checkQuery(query, [...PAGE_PARAMETERS, ...FILTERS]);
        const found = [...recordings.values()].reverse().filter((recording) => isWanted(recording, query));
        const reply = page(found, query);
        const { data, meta } = reply.body as { data: Recording[]; meta: object };
        return { ...reply, body: { data: data.map(show), meta } };
      },
    },
    {
      name: 'GET /recordings/{id}',
      answer: ({ params: { id = '' } }) => ok(show(orNotFound(recordings.get(id)))),
    },
    {
      name: 'DELETE /recordings/{id}',
      answer: ({ params: { id = '' } }) => {
        const recording = orNotFound(recordings.get(id));
        recordings.delete(id);
        const { download_urls: _, ...shown } = show(recording);
        for (const [link, { content }] of world.state.media) {
          if (content === recording.file) world.state.media.delete(link);
        }
        return ok(shown);
      },
    },
  ];
}

function isWanted(recording: Recording, query: URLSearchParams): boolean {
  const isField = FIELDS.every((field) => {
    const wanted = query.get(`filter[${field}]`);
    return wanted === null || wanted === recording[field];
  });
  return (
    isField &&
    Object.entries(TIMES).every(([time, field]) => {
      const at = Date.parse(recording[field]);
      const from = query.get(`filter[${time}][gte]`);
      const to = query.get(`filter[${time}][lte]`);
      return (from === null || at >= Date.parse(from)) && (to === null || at <= Date.parse(to));
    })
  );
}
