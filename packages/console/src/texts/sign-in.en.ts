/** The texts in English. */
export const en = () => ({
  signIn: {
    yourAddressNo:
      'No user of this console has your address. Ask an operator or an admin to add you, and sign in again after that.',
    yourRoleNot:
      'Your identity provider gives you a role, but not for an account of this console. Ask an operator to check the claim with the role.',
    yourAddressNot: 'Your address is not verified at the identity provider. Verify it there, and sign in again.',
    identityProviderDid: 'The identity provider did not say your e-mail address. Its client needs the scope “email”.',
    identityProviderDidNot:
      'The identity provider did not sign you in, or it took longer than ten minutes. Try it again.',
    signInDialplane: 'Sign in · Dialplane',
    dialplane: 'Dialplane',
    youNotSigned: 'You are not signed in',
    signYourOrganisation: 'Sign in with your organisation',
    signIn: 'Sign in',
    orOneTimeLink: 'Or sign in with a one-time link. On the server, print one and open it:',
    oneTimeLink: 'Sign in with a one-time link. On the server, print one and open it:',
    commandPrintsLink: 'The command that prints a link',
    linkGoodOne: 'A link is good for one sign-in. A start in a terminal prints one too.',
    youHaveOpened: 'You have opened a sign-in link.',
    consoleIsElsewhere: 'The console has another address',
    signInThere: 'It takes requests from its own pages only. Sign in there:',
  },
});
