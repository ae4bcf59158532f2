/** The words of the public pages around the tenant's own texts, in English and Spanish. */

const en = {
  language: 'en',
  error: (title: string) => `Error: ${title}`,
  testForm: 'This is a test form: no real texts follow from it.',
  phoneNumber: 'Phone number',
  phoneHint: 'With area code, such as',
  terms: 'Terms',
  privacy: 'Privacy',
  legal: 'Legal',
  fieldErrors: {
    phone_number: 'Enter a phone number, with its area code.',
    consent: 'Tick the box if you agree to receive texts. Without it nothing is sent to you.',
  },
  textChanged: 'The text beside the box has changed. Read it again, and tick the box if you agree.',
  notSignedUp: 'You have not been signed up yet',
  signUp: 'Sign up for texts',
  thanks: 'Thank you',
  noted: (sender: string): [before: string, after: string] => [
    `Your consent to texts from ${sender} to `,
    ' has been noted.',
  ],
  howToStop:
    'You can reply STOP to any of these texts to end them. If you have replied STOP before, send START from your phone to receive them again: this form alone does not change that.',
  optOut: 'Opt out',
  optOutMeans: (sender: string) =>
    `${sender} will send no more texts to your number, and will not call it with a computer that speaks.`,
  notOptedOut: 'You have not been opted out yet',
  optedOut: 'You are opted out',
  optedOutMeans: (sender: string): [before: string, after: string] => [
    `${sender} will send no more texts to `,
    ', and will not call it with a computer that speaks.',
  ],
  howToStart: 'To receive them again, send START from your phone to the number that you had texts from.',
  notHere: ['This form is not here', 'It may have been taken down. Check the address.'],
  tooMany: 'Too many tries',
  waitSeconds: (seconds: number) => `Please wait ${seconds} seconds, go back and send the form again.`,
  wentWrong: ['Something went wrong', 'Nothing has been noted. Please try again in a minute.'],
  notRead: ['The form could not be read', 'Please go back and fill it in again.'],
};

export type PageTexts = typeof en;

const es: PageTexts = {
  language: 'es',
  error: (title) => `Error: ${title}`,
  testForm: 'Este es un formulario de prueba: no envía ningún mensaje real.',
  phoneNumber: 'Número de teléfono',
  phoneHint: 'Con código de área, como',
  terms: 'Términos',
  privacy: 'Privacidad',
  legal: 'Información legal',
  fieldErrors: {
    phone_number: 'Ingrese un número de teléfono con su código de área.',
    consent: 'Marque la casilla si acepta recibir mensajes de texto. Sin ella no se le envía nada.',
  },
  textChanged: 'El texto junto a la casilla cambió. Léalo de nuevo y marque la casilla si lo acepta.',
  notSignedUp: 'Todavía no está inscrito',
  signUp: 'Recibir mensajes de texto',
  thanks: 'Gracias',
  noted: (sender) => [`Quedó registrado que usted acepta recibir mensajes de texto de ${sender} en el `, '.'],
  howToStop:
    'Puede responder STOP a cualquiera de estos mensajes para no recibir más. Si antes respondió STOP, envíe START desde su teléfono para recibirlos de nuevo: este formulario por sí solo no lo cambia.',
  optOut: 'Darse de baja',
  optOutMeans: (sender) =>
    `${sender} no enviará más mensajes de texto a su número, ni lo llamará con una computadora que habla.`,
  notOptedOut: 'Todavía no está dado de baja',
  optedOut: 'Usted está dado de baja',
  optedOutMeans: (sender) => [
    `${sender} no enviará más mensajes de texto al `,
    ', ni lo llamará con una computadora que habla.',
  ],
  howToStart: 'Para recibirlos de nuevo, envíe START desde su teléfono al número que le enviaba los mensajes.',
  notHere: ['Este formulario no está aquí', 'Tal vez ya no existe. Revise la dirección.'],
  tooMany: 'Demasiados intentos',
  waitSeconds: (seconds) => `Espere ${seconds} segundos, vuelva atrás y envíe el formulario de nuevo.`,
  wentWrong: ['Algo salió mal', 'No se registró nada. Inténtelo de nuevo en un minuto.'],
  notRead: ['No se pudo leer el formulario', 'Vuelva atrás y llénelo de nuevo.'],
};

const TABLES: Readonly<Record<string, PageTexts>> = { en, es };

/** Returns the texts in the language that the visitor's browser prefers, by its Accept-Language header. */
export function pageTexts(acceptLanguage: string | undefined): PageTexts {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { language: tag.split('-')[0] ?? '', weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ language, weight }) => Object.hasOwn(TABLES, language) && weight > 0)
    // The sort is stable: languages of equal weight keep their order.
    .sort((a, b) => b.weight - a.weight);
  return TABLES[wanted[0]?.language ?? ''] ?? en;
}
