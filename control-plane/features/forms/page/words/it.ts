import type { FormWords } from './words.ts';

export const it: FormWords = {
  requiredNote: 'I campi con * sono obbligatori.',
  choose: 'Scegli un’opzione',
  send: 'Invia',
  sending: 'Invio in corso…',
  charactersMax: (characters) => `Al massimo ${characters} caratteri.`,
  sent: { title: 'Grazie!', lead: 'Le tue risposte sono arrivate.', again: 'Compila di nuovo il modulo' },
  check: 'Controlla le tue risposte',
  faults: {
    required: 'Compila questo campo.',
    chooseOne: 'Scegli un’opzione.',
    tick: 'Spunta questa casella.',
    email: 'Inserisci un indirizzo e-mail come nome@example.com.',
    phone: 'Inserisci un numero di telefono come +39 06 1234 5678.',
    option: 'Questa opzione non c’è più. Scegline un’altra.',
    several: 'Dai una sola risposta.',
    tooLong: (max, characters) => `Usa al massimo ${max} caratteri. Sono ${characters}.`,
  },
  notices: {
    tooFast: 'È stato veloce. Ricontrolla le tue risposte e inviale di nuovo.',
    trap: 'Un campo nascosto era compilato, come fanno i programmi. Ora è vuoto: invia di nuovo le tue risposte.',
    expired: 'Questa pagina è rimasta aperta a lungo. Le tue risposte sono ancora qui: inviale di nuovo.',
    changed:
      'Questo modulo è cambiato da quando l’hai aperto. Ricontrolla le tue risposte e inviale di nuovo.',
    used: 'Da questa pagina sono già state inviate altre risposte. Per inviare anche queste, premi di nuovo il pulsante.',
    unavailable:
      'Non è stato possibile salvare le tue risposte. Sono ancora qui: inviale di nuovo tra un momento.',
    offline: 'Non c’è connessione. Le tue risposte sono ancora qui: inviale di nuovo tra un momento.',
    tooMany: 'Dalla tua connessione sono stati inviati troppi moduli. Riprova tra un minuto.',
    closed: 'Questo modulo non accetta più risposte.',
    failed: 'Non ha funzionato. Le tue risposte sono ancora qui: riprova tra un momento.',
  },
  gone: 'Il modulo non ha più questi campi. Ciò che vi hai scritto non è stato inviato:',
  trap: 'Lascia vuoto questo campo',
  tryAgain: 'Invia di nuovo',
};
