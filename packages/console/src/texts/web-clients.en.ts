/** The texts in English. */
export const en = () => ({
  createWebClient: {
    webClientMade: 'The web client is made.',
    newWebClient: 'New web client',
    makeWebClient: 'Make the web client',
    name: 'Name',
    frontDesk: 'Front desk',
    personDeskUses: 'The person or desk that uses it',
    wherePersonIf: 'Where the person is, if not at the address of the number',
  },
  list: {
    newWebClient: 'New web client',
    webClients: 'Web clients',
    phonesBrowserOne:
      'Phones in a browser, one for each person. They ring by routing, and place calls from the tenant’s numbers.',
    name: 'Name',
    withoutName: 'Without a name',
    id: 'Id',
    tenant: 'Tenant',
    status: 'Status',
    made: 'Made',
    noWebClients: 'No web clients yet',
    tenantNoWeb: 'This tenant has no web clients',
    frontDesk: 'Front desk',
    personAnswersCalls:
      'A person answers and calls on a page of yours. Make one for each person; your server mints a login token for each session.',
  },
  webClient: {
    webClient: 'Web client',
    notHere: 'It is not here',
    noWebClient: (lookedAtMax: number) =>
      `No web client among the newest ${lookedAtMax} of this account and mode has the id <0/>.`,
    tenant: 'Tenant',
    nameInSignalling: 'Name in signalling',
    made: 'Made',
    idRingTarget: 'Id (also the ring target)',
    copyTheId: 'Copy the id',
    logIn: 'Log in',
    yourServerMints:
      'Your server mints a login token with its API key. It is valid for five minutes, for this web client only:',
    pagePersonHands:
      'The page of the person hands the token to the library, which registers the phone and carries the audio:',
    pagePerson: 'The page of the person',
    webClientsDocumentation: 'Web clients in the documentation',
    pageScript: (url: string) => `<script type="module">
  import { Softphone } from '${url}/softphone.js';
  const phone = new Softphone({ url: '${url}' });
  phone.on('incoming', (call) => showRinging(call.from));
  await phone.connect(() => fetch('/my-server/phone-token').then((reply) => reply.text()));
</script>`,
    webClientRevoked: 'The web client is revoked.',
    revoke: 'Revoke',
    theWebClient: 'the web client',
    revokeOf: (name: string) => `Revoke ${name}?`,
    tokensEndSession:
      'Its tokens end, its session is closed, and its running call ends for both parties. Routing skips it. This cannot be undone: make a new one instead.',
  },
});
