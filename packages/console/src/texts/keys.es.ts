import type { Translation } from '@dialplane/i18n';
import type { en } from './keys.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  createKey: {
    readAndWrite: 'Leer y escribir',
    onlyRead: 'Solo leer',
    newApiKey: 'Clave de API nueva',
    makeTheKey: 'Crear la clave',
    name: 'Nombre',
    bookingServer: 'Servidor de citas',
    whoUsesKey: 'Quién usa la clave',
    noneKeyOpens: 'Ninguna: la clave da acceso a la cuenta',
    tenantKeyOpens: 'Con una empresa, la clave da acceso solo a ella',
    itMay: 'Puede',
  },
  keys: {
    theAccount: 'la cuenta',
    onlyRead: 'solo leer',
    readWrite: 'leer y escribir',
    never: 'nunca',
    newKey: 'Clave nueva',
    apiKeys: 'Claves de API',
    keysModeYour: (mode) =>
      `Claves del modo ${mode === 'live' ? 'real' : 'de prueba'}. Las usan sus servidores; un navegador o una aplicación nunca debe tener una.`,
    allKeys: 'Todas las claves',
    name: 'Nombre',
    key: 'Clave',
    opens: 'Acceso',
    may: 'Puede',
    lastUsed: 'Último uso',
    ends: 'Vence',
    actions: 'Acciones',
    rotate: 'Rotar',
    revoke: 'Revocar',
    noKeys: 'No hay claves',
    bookingServer: 'Servidor de citas',
    keyOpensAccount:
      'Una clave da acceso a la cuenta, o solo a una empresa. Dé a cada servidor su propia clave, para poder revocar una sin las demás.',
  },
  newKey: {
    yourNewKey: 'Su clave nueva',
    copyNowNot: 'Cópiela ahora: no se vuelve a mostrar',
    serverKeepsOnly: 'El servidor guarda solo un hash de la clave. Guárdela donde su servidor lee sus secretos.',
    theNewKey: 'La clave nueva',
    iHaveStored: 'Ya la guardé',
  },
  revokeKey: {
    isRevoked: (name) => `La clave ${name} está revocada.`,
    revokeOf: (name) => `¿Revocar ${name}?`,
    revoke: 'Revocar',
    within5Seconds:
      'En 5 segundos se rechaza cada solicitud con <0/>, y se cierran los sockets que abrió. Esto no se puede deshacer.',
  },
  rotateKey: {
    endsAtOnce: 'Deja de ser válida de inmediato',
    staysValidHour: 'Sigue siendo válida una hora',
    staysValidDay: 'Sigue siendo válida un día',
    staysValidWeek: 'Sigue siendo válida una semana',
    rotate: (name) => `Rotar ${name}`,
    newKeySame: 'Una clave nueva con el mismo nombre y los mismos permisos reemplaza a <0/>.',
    rotateTheKey: 'Rotar la clave',
    theOldKey: 'La clave anterior',
  },
});
