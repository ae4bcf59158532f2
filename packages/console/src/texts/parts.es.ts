import type { Formats, Translation } from '@dialplane/i18n';
import type { en } from './parts.en.ts';

/** The texts in Spanish for modules of `app` and `ui` that are not loaded with every page. */
export const es = ({ plural }: Formats): Translation<ReturnType<typeof en>> => ({
  accountMenu: {
    otherAccount: 'Otra cuenta',
    accounts: 'Cuentas',
    nameOrId: 'Nombre o id de una cuenta',
    thisOne: 'Esta',
    allAccounts: 'Todas las cuentas',
  },
  palette: {
    find: 'Buscar',
    pageNameNumber: 'Una página, un nombre, un número, una referencia o un id',
    found: 'Resultados',
    nothingFound: (typed) => `No se encontró nada para ${typed}.`,
    foundOf: (count) => plural(count, { one: '1 resultado.', other: `${count} resultados.` }),
    searching: 'Buscando…',
    nothingFoundOf: (typed) => `No se encontró nada para “${typed}”.`,
    searchedWerePages:
      'Se buscó en páginas y acciones, nombres y referencias de empresas, nombres, compañías y referencias de contactos, números escritos de cualquier forma, conversaciones e ids.',
  },
  paletteActions: {
    newTenant: 'Empresa nueva',
    newContact: 'Contacto nuevo',
    writeAText: 'Escribir un mensaje',
    buyANumber: 'Comprar un número',
    newBrand: 'Marca nueva',
    newCampaign: 'Campaña nueva',
    newPortIn: 'Portabilidad nueva',
    failedTexts: 'Mensajes fallidos',
    scheduledTexts: 'Mensajes programados',
    callsInProgress: 'Llamadas en curso',
    missedCalls: 'Llamadas perdidas',
    webhookEndpointsFail: 'Endpoints de webhook que fallan',
    refusedRequests: 'Solicitudes rechazadas',
    optedOutConversations: 'Conversaciones con baja',
  },
  paletteCommands: {
    open: (text) => `Abrir ${text}`,
    goToMode: (other) => `Ir al modo ${other === 'live' ? 'real' : 'de prueba'}`,
    kinds: { tenant: 'Empresa', contact: 'Contacto', phone_number: 'Número', conversation: 'Conversación' },
  },
  operatorsOnly: {
    forOperators: 'Para administradores de la instalación',
    pageNeedsSession: 'Esta página necesita la sesión de un administrador de la instalación',
    backYourAccount: 'Volver a su cuenta',
    yourSessionOpens:
      'Su sesión da acceso a una sola cuenta. Una persona con acceso al servidor puede generar un enlace para un administrador de la instalación:',
    commandPrintsLink: 'El comando que genera un enlace para administradores de la instalación',
  },
  drawer: {
    navigation: 'Navegación',
  },
  emergencyNotice: {
    callsForHelp: (name) => `911: ${name} pide ayuda`,
    openTheCall: 'Abrir la llamada',
    iHaveSeen: 'Ya lo vi',
    from: ', desde <0/>, <1/>.',
    noAddressKnown: 'No se conoce ninguna dirección.',
    carrierDoesNot: 'El operador no tiene esta dirección para el número: es posible que el despachador no la vea.',
  },
  portOutNotice: {
    anotherCarrierAsks: (phoneNumber) => `Otro operador pide ${phoneNumber}`,
    openTheNumber: 'Abrir el número',
    carrierNotNamed: 'Un operador no identificado',
    askedSinceWhen:
      '<0/> lo pide desde <1/>. Cuando se cumpla la solicitud, el número se va, con sus mensajes y llamadas.',
    ifTenantNot: 'Si su empresa no lo pidió, solicite ahora a su operador que rechace la solicitud.',
  },
  reviews: {
    reviewsNowWait: 'Ahora las revisiones esperan su decisión.',
    reviewsNowDecided: 'Ahora las revisiones se deciden de inmediato.',
    brandsCampaignsPort: 'Las marcas, campañas y portabilidades de estos datos de prueba esperan una decisión manual',
  },
  hearIt: {
    audio: (what) => `Audio: ${what}`,
    stopOf: (what) => `Detener: ${what}`,
    hearItOf: (what) => `Oír: ${what}`,
    stop: 'Detener',
    hearIt: 'Oír',
  },
  optionFields: {
    routingConfig: 'Enrutamiento',
    none: 'Sin asignar',
    queue: 'Cola',
    campaign: 'Campaña',
    emergencyAddress: 'Dirección de emergencia',
  },
  tenantField: {
    tenant: 'Empresa',
    searchedWereStarts: 'Se buscó en los comienzos de las palabras de nombres, y en referencias e ids completos.',
  },
  numberField: {
    number: 'Número',
  },
  registration: {
    since: 'desde <0/>',
  },
  contactLink: {
    makeAContact: 'Crear un contacto',
  },
  deleteContent: {
    cannotUndoneAudit: 'Esto no se puede deshacer. El registro de auditoría dice quién lo hizo.',
  },
  player: {
    pause: (title) => `Pausar: ${title}`,
    play: (title) => `Reproducir: ${title}`,
    speed: (rate) => `Velocidad: ${rate}×`,
    download: (title) => `Descargar: ${title}`,
    audioCannotPlayed: 'No se puede reproducir el audio.',
    position: (title) => `Posición: ${title}`,
    of: (at, length) => `${at} de ${length}`,
  },
  chart: {
    figuresTable: 'Las cifras en una tabla',
    asATable: (label) => `${label}, en una tabla`,
    time: 'Hora',
  },
  pairsField: {
    nameOf: (index) => `Nombre ${index}`,
    name: 'nombre',
    valueOf: (index) => `Valor ${index}`,
    value: 'valor',
    unnamed: (index) => `el valor ${index}`,
    remove: (name) => `Quitar ${name}`,
    addAValue: 'Agregar un valor',
  },
  pickField: {
    typeToSearch: 'Escriba para buscar',
    searching: 'Buscando…',
  },
  steps: {
    states: { done: 'hecho', current: 'ahora', todo: 'por venir', problem: 'requiere atención', ended: 'terminó aquí' },
  },
  csvDownload: {
    noMoreThan: ' No tiene más que estas: acote la lista para ver las demás.',
    hasRows: (name, rows, cut) => `${name} tiene ${rows} ${rows === '1' ? 'fila' : 'filas'}.${cut}`,
  },
  listTools: {
    downloadCsv: (label) => `CSV: ${label}`,
    rowsRead: (count) => `${count} filas…`,
    copyCurl: (label) => `curl: ${label}`,
    copyIds: (label) => `Ids: ${label}`,
    ids: 'Ids',
  },
  signInAgain: {
    sessionHasEnded: 'Su sesión terminó',
    whatYouEntered: 'Inicie sesión de nuevo. La página se conserva debajo de esta ventana, con todo lo que escribió.',
    signInNewTab: 'Iniciar sesión en una pestaña nueva',
    signInLink: 'Enlace de acceso',
    openItOrPaste: (program) =>
      `Abra un enlace nuevo en otra pestaña, o péguelo aquí. “${program} console” imprime uno`,
    signIn: 'Iniciar sesión',
    leaveThePage: 'Salir de la página',
  },
  zoneField: {
    timeZone: 'Zona horaria',
  },
});
