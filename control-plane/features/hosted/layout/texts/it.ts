import type { Words } from './words.ts';

export const it: Words = {
  page: {
    socials: 'Seguici',
    website: 'Sito web',
    email: 'E-mail',
  },
  menu: {
    sections: 'Sezioni del menù',
    filter: 'Filtra',
    close: 'Chiudi',
    diet: 'Dieta',
    without: 'Nascondi i piatti che indicano',
    caution:
      'Gli allergeni sono quelli indicati nel menù. Un piatto per cui un allergene non è indicato può comunque contenerlo: chiedere al personale.',
    apply: 'Mostra i piatti',
    clear: 'Rimuovi i filtri',
    count: '{shown} di {total} visualizzati',
    nothingFound: 'Nessun piatto corrisponde a questi filtri.',
    empty: 'Questo menù è ancora vuoto.',
    allergens: 'Allergeni:',
    separator: ', ',
    online: 'Questo menù online:',
    allergenNames: {
      gluten: 'Glutine',
      dairy: 'Latte',
      eggs: 'Uova',
      nuts: 'Frutta a guscio',
      peanuts: 'Arachidi',
      soy: 'Soia',
      fish: 'Pesce',
      shellfish: 'Crostacei',
      sesame: 'Sesamo',
      celery: 'Sedano',
      mustard: 'Senape',
      sulphites: 'Solfiti',
      lupin: 'Lupini',
      molluscs: 'Molluschi',
    },
    dietNames: {
      vegetarian: 'Vegetariano',
      vegan: 'Vegano',
      'gluten-free': 'Senza glutine',
      'dairy-free': 'Senza latte',
      halal: 'Halal',
      kosher: 'Kosher',
      spicy: 'Piccante',
    },
  },
  status: {
    unknown: {
      title: 'Questa pagina non esiste',
      lead: 'Forse è stata rimossa, oppure l’indirizzo è incompleto.',
    },
    paused: {
      title: 'Questa pagina è in pausa',
      lead: 'Al momento è disattivata. Riprova più tardi.',
    },
    badRequest: {
      title: 'Non ha funzionato',
      lead: 'L’indirizzo o i dati inviati non sono corretti. Torna indietro e riprova.',
    },
    forbidden: {
      title: 'L’invio non è stato accettato',
      lead: 'Proviene da un altro sito. Apri la pagina stessa e riprova.',
    },
    methodNotAllowed: {
      title: 'Non ha funzionato',
      lead: 'A questa pagina non si può inviare nulla. Torna indietro e riprova.',
    },
    tooLarge: {
      title: 'È troppo in una volta',
      lead: 'I dati inviati superano quanto questa pagina accetta. Abbreviali e riprova.',
    },
    unsupported: {
      title: 'Non ha funzionato',
      lead: 'Questa pagina non comprende il formato dei dati inviati.',
    },
    rateLimited: {
      title: 'Un momento, per favore',
      lead: 'Dalla tua connessione sono arrivate troppe richieste. Riprova tra un minuto.',
    },
    unavailable: {
      title: 'Torniamo subito',
      lead: 'Al momento la pagina non può essere mostrata. Riprova tra poco.',
    },
    failed: {
      title: 'Qualcosa è andato storto',
      lead: 'L’errore è nostro. Riprova tra poco.',
    },
  },
};
