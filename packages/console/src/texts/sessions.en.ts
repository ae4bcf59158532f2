/** The texts in English. */
export const en = () => ({
  sessions: {
    sessions: 'Sessions',
    browsersSignedConsole: 'The browsers that are signed in to this console, newest first. A session lasts 12 hours.',
    browser: 'Browser',
    person: 'Person',
    nobodyInParticular: 'nobody in particular',
    opens: 'Opens',
    signedIn: 'Signed in',
    lastSeen: 'Last seen',
    ends: 'Ends',
    actions: 'Actions',
    signOut: 'Sign out',
    revoke: 'Revoke',
    noSessions: 'No sessions',
    serverCommandPrints: 'On the server, this command prints a link that signs a browser in, once:',
    commandPrintsLink: 'The command that prints a link',
    thisBrowser: 'this browser',
    everythingOperator: 'everything (operator)',
    sessionRevoked: (name: string) => `The session of ${name} is revoked.`,
    signOutBrowser: 'Sign out of this browser?',
    revokeSession: (name: string) => `Revoke the session of ${name}?`,
    sessionYouUse: 'This is the session that you use. You need a new link to sign in again.',
    within5Seconds:
      'Within 5 seconds the browser is refused everywhere, and its sockets end. It can sign in with a new link.',
  },
});
