import type { FormWords } from './words.ts';

export const es: FormWords = {
  requiredNote: 'Los campos con * son obligatorios.',
  choose: 'Elija una opción',
  send: 'Enviar',
  sending: 'Enviando…',
  charactersMax: (characters) => `Como máximo ${characters} caracteres.`,
  sent: {
    title: '¡Gracias!',
    lead: 'Hemos recibido sus respuestas.',
    again: 'Rellenar el formulario de nuevo',
  },
  check: 'Revise sus respuestas',
  faults: {
    required: 'Rellene este campo.',
    chooseOne: 'Elija una opción.',
    tick: 'Marque esta casilla.',
    email: 'Escriba una dirección de correo como nombre@example.com.',
    phone: 'Escriba un número de teléfono como +34 912 34 56 78.',
    option: 'Esta opción ya no existe. Elija otra.',
    several: 'Dé una sola respuesta.',
    tooLong: (max, characters) => `Use como máximo ${max} caracteres. Hay ${characters}.`,
  },
  notices: {
    tooFast: 'Ha sido muy rápido. Revise sus respuestas y envíelas otra vez.',
    trap: 'Un campo oculto estaba relleno, como hacen los programas. Ahora está vacío: envíe sus respuestas otra vez.',
    expired: 'Esta página estuvo abierta mucho tiempo. Sus respuestas siguen aquí: envíelas otra vez.',
    used: 'Desde esta página ya se enviaron otras respuestas. Para enviar también estas, pulse el botón otra vez.',
    unavailable: 'No se han podido guardar sus respuestas. Siguen aquí: envíelas otra vez en un momento.',
    offline: 'No hay conexión. Sus respuestas siguen aquí: envíelas otra vez en un momento.',
    tooMany: 'Se han enviado demasiados formularios desde su conexión. Inténtelo de nuevo en un minuto.',
    closed: 'Este formulario ya no acepta respuestas.',
    failed: 'No ha funcionado. Sus respuestas siguen aquí: inténtelo de nuevo en un momento.',
  },
  trap: 'Deje este campo vacío',
  tryAgain: 'Enviar otra vez',
};
