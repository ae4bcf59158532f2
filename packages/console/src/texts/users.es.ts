import type { Translation } from '@dialplane/i18n';
import type { en } from './users.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  userForm: {
    viewerReadsEverything: 'Lector: lee todo lo de la cuenta',
    supportAlsoWrites: 'Soporte: también escribe mensajes, hace llamadas y atiende conversaciones',
    adminEverythingAccount: 'Administrador: todo en la cuenta',
    operatorEveryAccount: 'Administrador de la instalación: todas las cuentas y la instalación',
    isSaved: (email) => `Se guardó ${email}.`,
    newUser: 'Usuario nuevo',
    change: (email) => `Modificar ${email}`,
    addTheUser: 'Agregar el usuario',
    save: 'Guardar',
    eMail: 'Correo electrónico',
    danaExampleCom: 'dana@example.com',
    addressYourIdentity: 'La dirección en su proveedor de identidad, o a la que usted envía el enlace',
    role: 'Rol',
    account: 'Cuenta',
    noneOperatorUses: 'Ninguna: un administrador de la instalación usa todas las cuentas',
  },
  users: {
    peopleWhoUse: 'Las personas que usan la consola para esta cuenta, en ambos modos.',
    peopleWhoUseConsole:
      'Las personas que usan la consola: los administradores de la instalación y las personas de cada cuenta.',
    newUser: 'Usuario nuevo',
    users: 'Usuarios',
    eMail: 'Correo electrónico',
    role: 'Rol',
    account: 'Cuenta',
    lastSignedIn: 'Último inicio de sesión',
    never: 'nunca',
    actions: 'Acciones',
    signInLink: 'Enlace de inicio de sesión',
    change: 'Modificar',
    remove: 'Quitar',
    noUsers: 'No hay usuarios',
    eachPersonGets:
      'Cada persona recibe un rol, y el registro de auditoría nombra a la persona. Sin usuarios, los enlaces de un solo uso de la línea de comandos abren una sesión sin nombre.',
    everyAccount: 'todas las cuentas',
    aLinkFor: (email) => `Un enlace para ${email}`,
    givePersonAlone: 'Déselo solo a esta persona',
    whoeverOpensLink: (email) =>
      `Quien abre el enlace inicia sesión como ${email}. Funciona una vez, durante 15 minutos.`,
    signLink: 'El enlace de inicio de sesión',
    done: 'Listo',
    isRemoved: (email) => `Se quitó a ${email}.`,
    removeOf: (email) => `¿Quitar a ${email}?`,
    sessionsPersonEnd:
      'Las sesiones de esta persona terminan en 5 segundos. El registro de auditoría conserva el nombre.',
  },
});
