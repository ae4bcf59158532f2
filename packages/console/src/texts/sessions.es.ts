import type { Translation } from '@dialplane/i18n';
import type { en } from './sessions.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  sessions: {
    sessions: 'Sesiones',
    browsersSignedConsole:
      'Los navegadores con una sesión abierta en esta consola, los más recientes primero. Una sesión dura 12 horas.',
    browser: 'Navegador',
    person: 'Persona',
    nobodyInParticular: 'nadie en particular',
    opens: 'Acceso',
    signedIn: 'Inicio de sesión',
    lastSeen: 'Visto por última vez',
    ends: 'Vence',
    actions: 'Acciones',
    signOut: 'Cerrar sesión',
    revoke: 'Revocar',
    noSessions: 'No hay sesiones',
    serverCommandPrints: 'En el servidor, este comando genera un enlace que inicia la sesión de un navegador, una vez:',
    commandPrintsLink: 'El comando que genera un enlace',
    thisBrowser: 'este navegador',
    everythingOperator: 'todo (administrador de la instalación)',
    sessionRevoked: (name) => `Se revocó la sesión de ${name}.`,
    signOutBrowser: '¿Cerrar la sesión de este navegador?',
    revokeSession: (name) => `¿Revocar la sesión de ${name}?`,
    sessionYouUse: 'Esta es la sesión que usted usa. Necesita un enlace nuevo para iniciar sesión otra vez.',
    within5Seconds:
      'En 5 segundos se rechaza el navegador en todas partes y se cierran sus sockets. Puede iniciar sesión con un enlace nuevo.',
  },
});
