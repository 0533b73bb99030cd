import type { FormWords } from './words.ts';

export const de: FormWords = {
  requiredNote: 'Felder mit * sind Pflichtfelder.',
  choose: 'Bitte wählen',
  send: 'Absenden',
  sending: 'Wird gesendet …',
  charactersMax: (characters) => `Höchstens ${characters} Zeichen.`,
  sent: {
    title: 'Vielen Dank!',
    lead: 'Ihre Angaben sind angekommen.',
    again: 'Formular noch einmal ausfüllen',
  },
  check: 'Bitte prüfen Sie Ihre Angaben',
  faults: {
    required: 'Bitte füllen Sie dieses Feld aus.',
    chooseOne: 'Bitte wählen Sie eine Möglichkeit.',
    tick: 'Bitte setzen Sie dieses Häkchen.',
    email: 'Bitte geben Sie eine E-Mail-Adresse wie name@example.com ein.',
    phone: 'Bitte geben Sie eine Telefonnummer wie +49 30 1234567 ein.',
    option: 'Diese Möglichkeit gibt es nicht mehr. Bitte wählen Sie eine andere.',
    several: 'Bitte geben Sie nur eine Antwort.',
    tooLong: (max, characters) => `Bitte verwenden Sie höchstens ${max} Zeichen. Es sind ${characters}.`,
  },
  notices: {
    tooFast: 'Das ging schnell. Bitte prüfen Sie Ihre Angaben und senden Sie sie noch einmal ab.',
    trap: 'Ein verstecktes Feld war ausgefüllt, wie es Programme tun. Es ist nun leer: Bitte senden Sie Ihre Angaben noch einmal ab.',
    expired:
      'Diese Seite war lange geöffnet. Ihre Angaben sind noch da: Bitte senden Sie sie noch einmal ab.',
    changed:
      'Dieses Formular hat sich geändert, seit Sie es geöffnet haben. Bitte prüfen Sie Ihre Angaben und senden Sie sie noch einmal ab.',
    used: 'Von dieser Seite wurden schon andere Angaben gesendet. Um auch diese zu senden, drücken Sie bitte noch einmal auf den Knopf.',
    unavailable:
      'Ihre Angaben konnten gerade nicht gespeichert werden. Sie sind noch da: Bitte senden Sie sie gleich noch einmal ab.',
    offline:
      'Es gibt keine Verbindung. Ihre Angaben sind noch da: Bitte senden Sie sie gleich noch einmal ab.',
    tooMany:
      'Von Ihrem Anschluss wurden zu viele Formulare gesendet. Bitte versuchen Sie es in einer Minute noch einmal.',
    closed: 'Dieses Formular nimmt keine Angaben mehr an.',
    failed: 'Das hat nicht geklappt. Ihre Angaben sind noch da: Bitte versuchen Sie es gleich noch einmal.',
  },
  gone: 'Diese Felder hat das Formular nicht mehr. Was Sie dort eingegeben haben, wurde nicht gesendet:',
  trap: 'Bitte lassen Sie dieses Feld leer',
  tryAgain: 'Noch einmal absenden',
};
