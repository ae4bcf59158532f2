import type { Translation } from '@dialplane/i18n';
import type { en } from './phones.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  addPhone: {
    numberHasDigits: 'Un número tiene su código de área y siete dígitos.',
    isHere: 'Este teléfono ya está en la página.',
    addAPhone: 'Agregar un teléfono',
    add: 'Agregar',
    number: 'Número',
    anyNumberNot: 'Cualquier número que no sea de sus empresas',
  },
  callPanel: {
    states: { connecting: 'conectando', lost: 'perdida' },
    callOf: (index, count) => `Llamada ${index} de ${count}`,
    call: (value) => (value === '' ? 'Llamar' : `Llamar a ${value}`),
    calling: 'Llamando a',
    incomingCallFrom: 'Llamada entrante de',
    callText: 'En llamada con',
    theVoicemail: '· el buzón de voz',
    answer: 'Contestar',
    decline: 'Rechazar',
    hangUp: 'Colgar',
    unmute: 'Activar micrófono',
    mute: 'Silenciar',
    speakListenHere: 'Hablar y escuchar aquí',
    sound: 'sonido',
    silence: 'silencio',
    hears: 'Oye',
    noMicrophonePhone: (noMicrophone) =>
      `Sin micrófono: ${noMicrophone}. El teléfono aún puede decir palabras y reproducir sonidos.`,
    audioNotConnected: (problem) => `El audio no está conectado y se intenta de nuevo: ${problem}`,
    callWith: (other) => `Llamada con ${other}`,
    over: 'terminada',
    theMessage: 'El mensaje',
  },
  composer: {
    text: 'Mensaje',
    writeAText: 'Escribir un mensaje',
    send: 'Enviar',
    addressPicture: 'Dirección de una imagen',
    https: 'https://…',
    addAPicture: 'Agregar una imagen',
  },
  feed: {
    connecting: 'conectando',
    live: 'en vivo',
    reconnecting: 'reconectando',
    events: 'Eventos',
    whatPhonesDo: 'Lo que hacen los teléfonos causa eventos. Aparecen aquí de inmediato.',
  },
  keypad: {
    keypad: 'Teclado',
    key: (key) => `Tecla ${key}`,
  },
  phone: {
    phone: (shown) => `Teléfono ${shown}`,
    you: 'Usted',
    removeThePhone: (shown) => `Quitar el teléfono ${shown}`,
    with: 'Con',
  },
  phones: {
    devPhones: 'Teléfonos de prueba',
    onlyTestMode: 'Solo en modo de prueba',
    simulatedPeopleLive: 'Las personas simuladas existen en el modo de prueba. Cambie arriba a ese modo.',
    phonesSimulatedPeople:
      'Teléfonos de personas simuladas que escriben y llaman a sus empresas. Mientras esta página está abierta, contestan solo cuando usted oprime Contestar, en cinco segundos.',
    addAPhone: 'Agregar un teléfono',
    noNumberText: 'No hay un número al que escribir o llamar',
    buyANumber: 'Comprar un número',
    phonesTextCall:
      'Los teléfonos escriben y llaman a los números de sus empresas. En modo de prueba un número se compra de inmediato y no cuesta nada.',
  },
  speakPanel: {
    say: 'Decir',
    wordsToSay: 'Palabras que decir',
    stopTheSound: 'Detener el sonido',
    playATone: 'Reproducir un tono',
    playAFile: 'Reproducir un archivo',
  },
  thread: {
    texts: 'Mensajes',
    noTextsYet: 'Todavía no hay mensajes. Escriba uno, o envíe uno desde la bandeja de entrada.',
    sent: 'Enviado: ',
    received: 'Recibido: ',
    picture: 'Imagen',
  },
});
