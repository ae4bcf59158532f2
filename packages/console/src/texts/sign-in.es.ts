import type { Translation } from '@dialplane/i18n';
import type { en } from './sign-in.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  signIn: {
    yourAddressNo:
      'Su dirección no es de un usuario de esta consola. Pida a un administrador que la agregue, y después inicie sesión de nuevo.',
    yourRoleNot:
      'Su rol no es para ninguna de las cuentas de aquí. Pida a un administrador de la instalación que revise ese dato del proveedor de identidad.',
    yourAddressNot:
      'Su dirección no está verificada en el proveedor de identidad. Verifíquela ahí e inicie sesión de nuevo.',
    identityProviderDid:
      'El proveedor de identidad no indicó su dirección de correo electrónico. Su cliente necesita el alcance “email”.',
    identityProviderDidNot:
      'El proveedor de identidad no inició su sesión, o tardó más de diez minutos. Inténtelo de nuevo.',
    signInDialplane: 'Iniciar sesión · Dialplane',
    dialplane: 'Dialplane',
    youNotSigned: 'Usted no ha iniciado sesión',
    signYourOrganisation: 'Iniciar sesión con su organización',
    signIn: 'Iniciar sesión',
    orOneTimeLink: 'O inicie sesión con un enlace de un solo uso. En el servidor, genere uno y ábralo:',
    oneTimeLink: 'Inicie sesión con un enlace de un solo uso. En el servidor, genere uno y ábralo:',
    commandPrintsLink: 'El comando que genera un enlace',
    linkGoodOne: 'Un enlace sirve para un inicio de sesión. Al arrancar en una terminal también se muestra uno.',
    youHaveOpened: 'Usted abrió un enlace de inicio de sesión.',
    consoleIsElsewhere: 'La consola tiene otra dirección',
    signInThere: 'Solo acepta solicitudes de sus propias páginas. Inicie sesión allí:',
  },
});
