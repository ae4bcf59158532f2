import type { Translation } from '@dialplane/i18n';
import type { en } from './e911.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  createAddress: {
    carrierChecksAddress: 'El operador comprueba la dirección.',
    addressValidSaved: 'La dirección es válida y está guardada.',
    newEmergencyAddress: 'Dirección de emergencia nueva',
    checkAndSave: 'Comprobar y guardar',
    houseNumberStreet: 'Número y calle',
    n100NCentral: '100 N Central Ave',
    unit: 'Unidad',
    suite4: 'Suite 4',
    city: 'Ciudad',
    phoenix: 'Phoenix',
    state: 'Estado',
    az: 'AZ',
    zipCode: 'Código postal',
    carrierWouldAccept: 'El operador aceptaría esta dirección',
    useThisAddress: 'Usar esta dirección',
  },
  list: {
    n100NCentral: '100 N Central Ave',
    suite4: 'Suite 4',
    phoenix: 'Phoenix',
    newAddress: 'Dirección nueva',
    e911Addresses: 'Direcciones para el 911',
    whereHelpSent:
      'Adónde se envía ayuda después de una llamada al 911 desde un número. Un número necesita una dirección de su empresa.',
    noEmergencyAddresses: 'Todavía no hay direcciones de emergencia',
    carrierChecksHelp:
      'El operador comprueba que se pueda enviar ayuda a la dirección. Una dirección nueva se asigna de inmediato a cada número activo de su empresa que no tenga ninguna.',
    addressDeleted: 'La dirección se eliminó.',
    address: 'Dirección',
    status: 'Estado',
    tenant: 'Empresa',
    numbers: 'Números',
    actions: 'Acciones',
    delete: 'Eliminar',
    deleteThisAddress: '¿Eliminar esta dirección?',
    addressNumbersUse: 'Una dirección que usan números se queda: asigne antes otra dirección a esos números.',
    none: 'ninguno',
    andMore: (value) => ` y ${value} más`,
  },
});
