import type { Translation } from '@dialplane/i18n';
import type { en } from './sip-phones.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  list: {
    telephones: 'Teléfonos',
    telephonesTenantsRegister:
      'Teléfonos de empresas que se registran en su motor SIP. El enrutamiento los hace timbrar.',
    name: 'Nombre',
    number: 'Número',
    tenant: 'Empresa',
    extensions: 'Extensiones',
    registration: 'Registro',
    noTelephonesYet: 'Todavía no hay teléfonos',
    tenantNoTelephones: 'Esta empresa no tiene teléfonos',
    testModeThere:
      'En modo de prueba no hay motor SIP, y cada nombre es un teléfono que contesta, como sip_phone:front.',
    operatorInstallationMakes:
      'El administrador de la instalación crea los teléfonos en un motor SIP, cada uno con la empresa a la que pertenece.',
  },
});
