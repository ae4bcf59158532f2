import type { Formats } from '@dialplane/i18n';

/** The texts in English. */
export const en = ({ plural }: Formats) => ({
  refusedConnections: {
    connectionsRefuse: 'Connections that do not work',
  },
  accounts: {
    emergencyCalls: (count: number) => plural(count, { one: '1 call to 911', other: `${count} calls to 911` }),
    portOuts: (count: number) =>
      plural(count, { one: '1 number asked for by a carrier', other: `${count} numbers asked for by carriers` }),
    failedTexts: (count: number) => plural(count, { one: '1 failed text', other: `${count} failed texts` }),
    failedCalls: (count: number) => plural(count, { one: '1 failed call', other: `${count} failed calls` }),
    failingEndpoints: (count: number) =>
      plural(count, { one: '1 failing endpoint', other: `${count} failing endpoints` }),
    newAccount: 'New account',
    accounts: 'Accounts',
    platformsUseInstallation:
      'The platforms that use this installation. Each has its own keys and data, in test and in live mode.',
    name: 'Name',
    id: 'Id',
    status: 'Status',
    liveBalance: 'Live balance',
    toLookAt: 'To look at, of 24 h',
    do: 'Do',
    open: 'Open',
    noAccountsYet: 'No accounts yet',
    accountPlatformEmbeds:
      'An account is a platform that embeds the phone service. On the server, a command makes one too:',
    commandMakesAccount: 'The command that makes an account',
    creditOf: (name: string) => `Credit ${name}`,
    credit: 'Credit',
    suspendOf: (name: string) => `Suspend ${name}`,
    suspend: 'Suspend',
    resumeOf: (name: string) => `Resume ${name}`,
    resume: 'Resume',
    testModeOf: (name: string) => `Test mode of ${name}`,
    test: 'Test',
    liveModeOf: (name: string) => `Live mode of ${name}`,
    live: 'Live',
  },
  createAccount: {
    newAccount: 'New account',
    makeTheAccount: 'Make the account',
    name: 'Name',
    copperStateApps: 'Copper State Apps',
    platformGetsKeys: 'The platform that gets the keys',
    keysOf: (name: string) => `Keys of ${name}`,
    makingTheKeys: 'Making the keys…',
    accountMadeBut: 'The account is made, but its keys are not.',
    makeTheKeys: 'Make the keys',
    copyThemNow: 'Copy them now: they are not shown again',
    serverKeepsOnly: 'The server keeps only hashes. More keys are made, rotated and revoked on the page “API keys”.',
    keyTestMode: 'The key of test mode, for development:',
    testKey: 'Test key',
    keyLiveMode: 'The key of live mode, for real carriers and real people:',
    liveKey: 'Live key',
    iHaveStored: 'I have stored them',
    openTheAccount: 'Open the account',
  },
  creditForm: {
    balance: (name: string, balanceUsd: string) => `The balance of ${name} is $${balanceUsd}.`,
    paymentWasCredited: (name: string, balanceUsd: string) =>
      `This payment was credited before; the balance of ${name} is $${balanceUsd}.`,
    creditTo: (amountUsd: string, name: string) => `Credit $${amountUsd} to ${name}?`,
    creditIt: 'Credit it',
    paymentAddsBalance: (reference: string, balanceUsd: string) =>
      `The payment ${reference} adds to the balance of live mode, which is $${balanceUsd}. It is in the audit log, and cannot be taken back here.`,
    credit: (name: string) => `Credit ${name}`,
    goOn: 'Go on',
    usDollars: 'US dollars',
    reference: 'Reference',
    wire7: 'wire 7',
    identifiesPaymentSame: 'Identifies the payment: the same one is credited once',
  },
  suspension: {
    suspend: 'Suspend',
    resume: 'Resume',
    isSuspended: (name: string) => `${name} is suspended.`,
    isActive: (name: string) => `${name} is active.`,
    within5Seconds:
      'Within 5 seconds all API requests of the account are refused, in both modes. Inbound texts are still stored, and running calls continue.',
    within5SecondsAccounts: "Within 5 seconds the account's keys work again, in both modes.",
  },
});
