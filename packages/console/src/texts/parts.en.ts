/** The texts in English for modules of `app` and `ui` that are not loaded with every page. */
export const en = () => ({
  accountMenu: {
    otherAccount: 'Another account',
    accounts: 'Accounts',
    nameOrId: 'Name or id of an account',
    thisOne: 'This one',
    allAccounts: 'All accounts',
  },
  palette: {
    find: 'Find',
    pageNameNumber: 'A page, a name, a number, a reference or an id',
    found: 'Found',
    nothingFound: (typed: string) => `Nothing is found for ${typed}.`,
    foundOf: (count: number) => `${count} found.`,
    searching: 'Searching…',
    nothingFoundOf: (typed: string) => `Nothing is found for “${typed}”.`,
    searchedWerePages:
      'The search finds pages and actions; tenants by name or reference; contacts by name, company or reference; numbers in any form; conversations; and ids.',
  },
  paletteActions: {
    newTenant: 'New tenant',
    newContact: 'New contact',
    writeAText: 'Write a text',
    buyANumber: 'Buy a number',
    newBrand: 'New brand',
    newCampaign: 'New campaign',
    newPortIn: 'New port-in',
    failedTexts: 'Failed texts',
    scheduledTexts: 'Scheduled texts',
    callsInProgress: 'Calls in progress',
    missedCalls: 'Missed calls',
    webhookEndpointsFail: 'Webhook endpoints that fail',
    refusedRequests: 'Refused requests',
    optedOutConversations: 'Opted-out conversations',
  },
  paletteCommands: {
    open: (text: string) => `Open ${text}`,
    goToMode: (other: string) => `Go to ${other} mode`,
    kinds: { tenant: 'Tenant', contact: 'Contact', phone_number: 'Number', conversation: 'Conversation' },
  },
  operatorsOnly: {
    forOperators: 'For operators',
    pageNeedsSession: 'This page needs the session of an operator',
    backYourAccount: 'Back to your account',
    yourSessionOpens:
      'Your session opens one account. A person with access to the server prints a link for an operator:',
    commandPrintsLink: 'The command that prints a link for operators',
  },
  drawer: {
    navigation: 'Navigation',
  },
  emergencyNotice: {
    callsForHelp: (name: string) => `911: ${name} calls for help`,
    openTheCall: 'Open the call',
    iHaveSeen: 'I have seen it',
    from: ', from <0/>, <1/>.',
    noAddressKnown: 'No address is known.',
    carrierDoesNot: 'The carrier does not have this address for the number: the dispatcher may not see it.',
  },
  portOutNotice: {
    anotherCarrierAsks: (phoneNumber: string) => `Another carrier asks for ${phoneNumber}`,
    openTheNumber: 'Open the number',
    carrierNotNamed: 'A carrier that is not named',
    askedSinceWhen:
      '<0/> requested the number on <1/>. When the request is carried out, the number leaves, with its texts and calls.',
    ifTenantNot: 'If its tenant has not ordered this, have your carrier refuse the request now.',
  },
  reviews: {
    reviewsNowWait: 'Reviews now wait for you.',
    reviewsNowDecided: 'Reviews are now decided at once.',
    brandsCampaignsPort: 'Brands, campaigns and port-ins of this test ledger wait for a decision by hand',
  },
  hearIt: {
    audio: (what: string) => `Audio: ${what}`,
    stopOf: (what: string) => `Stop: ${what}`,
    hearItOf: (what: string) => `Hear it: ${what}`,
    stop: 'Stop',
    hearIt: 'Hear it',
  },
  optionFields: {
    routingConfig: 'Routing config',
    none: 'None',
    queue: 'Queue',
    campaign: 'Campaign',
    emergencyAddress: 'Emergency address',
  },
  tenantField: {
    tenant: 'Tenant',
    searchedWereStarts: 'The search finds the beginnings of words in names, and whole references and ids.',
  },
  numberField: {
    number: 'Number',
  },
  registration: {
    since: 'since <0/>',
  },
  contactLink: {
    makeAContact: 'Make a contact',
  },
  deleteContent: {
    cannotUndoneAudit: 'This cannot be undone. The audit log says who did it.',
  },
  player: {
    pause: (title: string) => `Pause: ${title}`,
    play: (title: string) => `Play: ${title}`,
    speed: (rate: number) => `Speed: ${rate}×`,
    download: (title: string) => `Download: ${title}`,
    audioCannotPlayed: 'The audio cannot be played.',
    position: (title: string) => `Position: ${title}`,
    of: (at: string, length: string) => `${at} of ${length}`,
  },
  chart: {
    figuresTable: 'The figures as a table',
    asATable: (label: string) => `${label}, as a table`,
    time: 'Time',
  },
  pairsField: {
    nameOf: (index: number) => `Name ${index}`,
    name: 'name',
    valueOf: (index: number) => `Value ${index}`,
    value: 'value',
    unnamed: (index: number) => `value ${index}`,
    remove: (name: string) => `Remove ${name}`,
    addAValue: 'Add a value',
  },
  pickField: {
    typeToSearch: 'Type to search',
    searching: 'Searching…',
  },
  steps: {
    states: { done: 'done', current: 'now', todo: 'to come', problem: 'needs action', ended: 'ended here' },
  },
  csvDownload: {
    noMoreThan: ' The file has no more rows: narrow the list for the others.',
    hasRows: (name: string, rows: string, cut: string) => `${name} has ${rows} rows.${cut}`,
  },
  listTools: {
    downloadCsv: (label: string) => `CSV: ${label}`,
    rowsRead: (count: string) => `${count} rows…`,
    copyCurl: (label: string) => `curl: ${label}`,
    copyIds: (label: string) => `Ids: ${label}`,
    ids: 'Ids',
  },
  signInAgain: {
    sessionHasEnded: 'Your session has ended',
    whatYouEntered: 'Sign in again. The page stays below this window, with all that you have entered.',
    signInNewTab: 'Sign in in a new tab',
    signInLink: 'Sign-in link',
    openItOrPaste: (program: string) =>
      `Open a new link in another tab, or paste it here. “${program} console” prints one`,
    signIn: 'Sign in',
    leaveThePage: 'Leave the page',
  },
  zoneField: {
    timeZone: 'Time zone',
  },
});
