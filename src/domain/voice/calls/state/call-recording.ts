/** The recording of a call: its state, and the API's requests for it. */

/** The recording of the joined parties. */
export type RecordingState =
  /** `isCanceled`: one was wanted, and was stopped or failed before it began. */
  | { readonly name: 'off'; readonly isCanceled?: true }
  /**
   * The recording starts when the parties are joined. `announce`: an announcement is required. `announced`: it has been
   * spoken.
   */
  | { readonly name: 'wanted'; readonly announce: boolean; readonly announced?: boolean }
  | { readonly name: 'announcing'; readonly speechRef: string }
  | { readonly name: 'on'; readonly announced: boolean }
  /** The carrier has not reported its end yet. `next`: the recording that the API has requested after it. */
  | {
      readonly name: 'stopped';
      readonly announced: boolean;
      readonly next?: { readonly id: string; readonly announce: boolean };
    }
  /** The job that fetches the audio is planned. */
  | { readonly name: 'kept' };

export const RECORDING_ACTIONS = ['start', 'pause', 'resume', 'stop'] as const;

/** The API's request for the recording. */
export type RecordingControl = {
  readonly action: (typeof RECORDING_ACTIONS)[number];
  /** With `start`: the id of the new recording that follows an ended one, and whether it is announced. */
  readonly recordingId: string;
  readonly announce: boolean;
};
