import type { Translation } from '@dialplane/i18n';
import type { en } from './web-clients.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  createWebClient: {
    webClientMade: 'Se creó el cliente web.',
    newWebClient: 'Cliente web nuevo',
    makeWebClient: 'Crear el cliente web',
    name: 'Nombre',
    frontDesk: 'Recepción',
    personDeskUses: 'La persona o el puesto que lo usa',
    wherePersonIf: 'Dónde está la persona, si no es en la dirección del número',
  },
  list: {
    newWebClient: 'Cliente web nuevo',
    webClients: 'Clientes web',
    phonesBrowserOne:
      'Teléfonos en un navegador, uno por persona. Timbran según el enrutamiento y llaman desde los números de la empresa.',
    name: 'Nombre',
    withoutName: 'Sin nombre',
    id: 'Id',
    tenant: 'Empresa',
    status: 'Estado',
    made: 'Creación',
    noWebClients: 'Todavía no hay clientes web',
    tenantNoWeb: 'Esta empresa no tiene clientes web',
    frontDesk: 'Recepción',
    personAnswersCalls:
      'Una persona contesta y llama en una página de su sitio. Cree uno por persona; su servidor emite un token de inicio de sesión para cada sesión.',
  },
  webClient: {
    webClient: 'Cliente web',
    notHere: 'No está aquí',
    noWebClient: (lookedAtMax) =>
      `Ningún cliente web entre los ${lookedAtMax} más recientes de esta cuenta y este modo tiene el id <0/>.`,
    tenant: 'Empresa',
    nameInSignalling: 'Nombre en la señalización',
    made: 'Creación',
    idRingTarget: 'Id, también como destino que timbra',
    copyTheId: 'Copiar el id',
    logIn: 'Iniciar sesión',
    yourServerMints:
      'Su servidor emite un token de inicio de sesión con su clave de API. Sirve durante cinco minutos y solo para este cliente web:',
    pagePersonHands:
      'La página de la persona entrega el token a la biblioteca, que registra el teléfono y transporta el audio:',
    pagePerson: 'La página de la persona',
    webClientsDocumentation: 'Los clientes web en la documentación',
    pageScript: (url) =>
      `<script type="module">\n  import { Softphone } from '${url}/softphone.js';\n  const phone = new Softphone({ url: '${url}' });\n  phone.on('incoming', (call) => showRinging(call.from));\n  await phone.connect(() => fetch('/my-server/phone-token').then((reply) => reply.text()));\n</script>`,
    webClientRevoked: 'El cliente web está revocado.',
    revoke: 'Revocar',
    theWebClient: 'el cliente web',
    revokeOf: (name) => `¿Revocar ${name}?`,
    tokensEndSession:
      'Sus tokens terminan, su sesión se cierra, y una llamada en la que esté termina para ambos. El enrutamiento lo omite. Esto no se puede deshacer: cree uno nuevo.',
  },
});
