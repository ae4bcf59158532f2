/** The texts in English. */
export const en = () => ({
  /** Translated names of the API's fields and resources. Only languages other than English have them. */
  words: {} as Readonly<Record<string, string>>,
  /** Refusals by code. The table is empty in English, the language of the API. */
  refusals: {} as Readonly<Record<string, string>>,
  apiErrors: {
    entry: (value: number, at: string) => `Entry ${value}: ${at}`,
    thisIsRequired: 'This is required.',
    it: (rest: string) => `It ${rest}`,
  },
  code: {
    copy: 'Copy',
    copied: 'Copied',
    sameCurl: 'The same by curl',
  },
  dataList: {
    tryAgain: 'Try again',
    loadingMore: 'Loading more…',
    loading: (things: string) => `Loading ${things}…`,
    id: 'Id',
    copyTheId: 'Copy the id',
  },
  dialog: {
    close: 'Close',
    cancel: 'Cancel',
  },
  errorNote: {
    request: 'Request <0/>',
  },
  filterBar: {
    filters: 'Filters',
  },
  form: {
    cancel: 'Cancel',
    thereFurtherMistakes: 'There are further mistakes',
  },
  fullList: {
    tryAgain: 'Try again',
    loading: (things: string) => `Loading ${things}…`,
    loadingMore: 'Loading more…',
  },
  leaveQuestion: {
    leaveWithoutSaving: 'Leave without saving?',
    leave: 'Leave',
    whatYouHave: 'What you have entered on this page is not saved.',
  },
  notice: {
    testControlOf: (title: string) => `Test control: ${title}`,
    testControl: 'Test control',
  },
  oneZone: {
    timesIn: (name: string) => `Times in ${name}`,
  },
  page: {
    none: 'none',
  },
  thingTools: {
    copyTheId: 'Copy the id',
    copyTheRequest: 'Copy the request that reads it, for curl',
  },
  toast: {
    dismiss: 'Dismiss the message',
  },
});
