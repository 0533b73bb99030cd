import type { FormWords } from './words.ts';

export const nl: FormWords = {
  requiredNote: 'Velden met * zijn verplicht.',
  choose: 'Maak een keuze',
  send: 'Versturen',
  sending: 'Wordt verstuurd…',
  charactersMax: (characters) => `Hoogstens ${characters} tekens.`,
  sent: {
    title: 'Bedankt!',
    lead: 'Uw antwoorden zijn aangekomen.',
    again: 'Het formulier opnieuw invullen',
  },
  check: 'Controleer uw antwoorden',
  faults: {
    required: 'Vul dit veld in.',
    chooseOne: 'Kies een mogelijkheid.',
    tick: 'Vink dit vakje aan.',
    email: 'Vul een e-mailadres in, zoals naam@example.com.',
    phone: 'Vul een telefoonnummer in, zoals +31 20 123 4567.',
    option: 'Deze mogelijkheid is er niet meer. Kies een andere.',
    several: 'Geef maar één antwoord.',
    tooLong: (max, characters) => `Gebruik hoogstens ${max} tekens. Het zijn er ${characters}.`,
  },
  notices: {
    tooFast: 'Dat ging snel. Kijk uw antwoorden na en verstuur ze nog een keer.',
    trap: 'Een verborgen veld was ingevuld, zoals programma’s doen. Het is nu leeg: verstuur uw antwoorden nog een keer.',
    expired: 'Deze pagina was lang open. Uw antwoorden zijn er nog: verstuur ze nog een keer.',
    changed:
      'Dit formulier is veranderd sinds u het opende. Kijk uw antwoorden na en verstuur ze nog een keer.',
    used: 'Vanaf deze pagina zijn al andere antwoorden verstuurd. Druk nog een keer op de knop om ook deze te versturen.',
    unavailable:
      'Uw antwoorden konden nu niet worden opgeslagen. Ze zijn er nog: verstuur ze zo meteen nog een keer.',
    offline: 'Er is geen verbinding. Uw antwoorden zijn er nog: verstuur ze zo meteen nog een keer.',
    tooMany:
      'Vanaf uw verbinding zijn te veel formulieren verstuurd. Probeer het over een minuut nog een keer.',
    closed: 'Dit formulier neemt geen antwoorden meer aan.',
    failed: 'Dat is niet gelukt. Uw antwoorden zijn er nog: probeer het zo meteen nog een keer.',
  },
  gone: 'Het formulier heeft deze velden niet meer. Wat u daar hebt ingevuld, is niet verstuurd:',
  trap: 'Laat dit veld leeg',
  tryAgain: 'Nog een keer versturen',
};
