import type { Formats, Translation } from '@dialplane/i18n';
import type { en } from './accounts.en.ts';

/** The texts in Spanish. */
export const es = ({ plural }: Formats): Translation<ReturnType<typeof en>> => ({
  refusedConnections: {
    connectionsRefuse: 'Conexiones que no funcionan',
  },
  accounts: {
    emergencyCalls: (count) => plural(count, { one: '1 llamada al 911', other: `${count} llamadas al 911` }),
    portOuts: (count) =>
      plural(count, {
        one: '1 número pedido por otro operador',
        other: `${count} números pedidos por otros operadores`,
      }),
    failedTexts: (count) => plural(count, { one: '1 mensaje fallido', other: `${count} mensajes fallidos` }),
    failedCalls: (count) => plural(count, { one: '1 llamada fallida', other: `${count} llamadas fallidas` }),
    failingEndpoints: (count) => plural(count, { one: '1 endpoint que falla', other: `${count} endpoints que fallan` }),
    newAccount: 'Cuenta nueva',
    accounts: 'Cuentas',
    platformsUseInstallation:
      'Las plataformas que usan esta instalación. Cada una tiene sus propias claves y datos, en modo de prueba y en modo real.',
    name: 'Nombre',
    id: 'Id',
    status: 'Estado',
    liveBalance: 'Saldo del modo real',
    toLookAt: 'Por revisar, de 24 h',
    do: 'Acciones',
    open: 'Abrir',
    noAccountsYet: 'Todavía no hay cuentas',
    accountPlatformEmbeds:
      'Una cuenta es una plataforma que incorpora el servicio telefónico. En el servidor, un comando también crea una:',
    commandMakesAccount: 'El comando que crea una cuenta',
    creditOf: (name) => `Abonar a ${name}`,
    credit: 'Abonar',
    suspendOf: (name) => `Suspender ${name}`,
    suspend: 'Suspender',
    resumeOf: (name) => `Reanudar ${name}`,
    resume: 'Reanudar',
    testModeOf: (name) => `Modo de prueba de ${name}`,
    test: 'Prueba',
    liveModeOf: (name) => `Modo real de ${name}`,
    live: 'Real',
  },
  createAccount: {
    newAccount: 'Cuenta nueva',
    makeTheAccount: 'Crear la cuenta',
    name: 'Nombre',
    copperStateApps: 'Copper State Apps',
    platformGetsKeys: 'La plataforma que recibe las claves',
    keysOf: (name) => `Claves de ${name}`,
    makingTheKeys: 'Creando las claves…',
    accountMadeBut: 'La cuenta se creó, pero sus claves no.',
    makeTheKeys: 'Crear las claves',
    copyThemNow: 'Cópielas ahora: no se vuelven a mostrar',
    serverKeepsOnly:
      'El servidor guarda solo sus hashes. En la página “Claves de API” se crean, rotan y revocan más claves.',
    keyTestMode: 'La clave del modo de prueba, para desarrollo:',
    testKey: 'Clave de prueba',
    keyLiveMode: 'La clave del modo real, para operadores y personas reales:',
    liveKey: 'Clave real',
    iHaveStored: 'Ya las guardé',
    openTheAccount: 'Abrir la cuenta',
  },
  creditForm: {
    balance: (name, balanceUsd) => `El saldo de ${name} es de $${balanceUsd}.`,
    paymentWasCredited: (name, balanceUsd) =>
      `Este pago ya se había abonado; el saldo de ${name} es de $${balanceUsd}.`,
    creditTo: (amountUsd, name) => `¿Abonar $${amountUsd} a ${name}?`,
    creditIt: 'Abonar',
    paymentAddsBalance: (reference, balanceUsd) =>
      `El pago ${reference} se suma al saldo del modo real, que es de $${balanceUsd}. Queda en el registro de auditoría y no se puede deshacer aquí.`,
    credit: (name) => `Abonar a ${name}`,
    goOn: 'Continuar',
    usDollars: 'Dólares de EE. UU.',
    reference: 'Referencia',
    wire7: 'transferencia 7',
    identifiesPaymentSame: 'Identifica el pago: el mismo se abona una sola vez',
  },
  suspension: {
    suspend: 'Suspender',
    resume: 'Reanudar',
    isSuspended: (name) => `La cuenta ${name} está suspendida.`,
    isActive: (name) => `La cuenta ${name} está activa.`,
    within5Seconds:
      'En 5 segundos se rechazan todas las solicitudes a la API de la cuenta, en ambos modos. Los mensajes entrantes se siguen guardando y las llamadas en curso continúan.',
    within5SecondsAccounts: 'En 5 segundos las claves de la cuenta vuelven a funcionar, en ambos modos.',
  },
});
