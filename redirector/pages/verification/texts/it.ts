import type { VerificationWords } from './words.ts';

export const it: VerificationWords = {
  authentic: {
    title: 'Autentico',
    lead: 'Questo codice è autentico e questa è la sua prima scansione.',
    advice: [
      'Un codice viene confermato così una volta sola. A chi lo scansiona in seguito viene detto quando è stato scansionato per la prima volta.',
    ],
  },
  scannedBefore: {
    title: 'Già scansionato',
    lead: 'Questo codice è registrato, ma questa non è la sua prima scansione.',
    advice: ['L’ha già scansionato Lei, o il prodotto è usato? Allora è normale.'],
  },
  sameDevice: {
    title: 'Probabilmente l’ha scansionato Lei per primo, {ago}',
    lead: 'Se qualcun altro l’ha scansionato poco prima di Lei, nello stesso luogo o con la Sua rete, lo consideri già scansionato.',
    advice: [
      'Per dieci minuti dopo la prima scansione, un dispositivo viene riconosciuto dal suo indirizzo di rete e dal suo browser. Un altro telefono dello stesso modello può sembrare uguale.',
      'Non è stato Lei a scansionarlo? Allora chieda al marchio prima di fidarsi.',
    ],
  },
  notGenuine: {
    title: 'Non autentico',
    lead: 'Questo codice non è stato emesso qui. È inventato, alterato o digitato male.',
    advice: [
      'Ha digitato l’indirizzo? Allora confronti ogni carattere, o scansioni il codice stesso.',
      'L’ha scansionato da un prodotto? Allora non si fidi del prodotto e avvisi il venditore o il marchio.',
    ],
  },
  notKnown: {
    title: 'Sconosciuto',
    lead: 'Nessun prodotto è registrato per questo codice.',
    advice: [
      'Un prodotto con questo codice non può essere verificato: non lo consideri autentico.',
      'Chieda al venditore o al marchio e mostri loro il codice.',
    ],
  },
  recalled: {
    title: 'Richiamato',
    lead: 'Il marchio ha richiamato questo prodotto.',
    advice: [
      'Non lo usi e non lo ceda ad altri.',
      'Chieda al marchio o al venditore che cosa farne e se viene sostituito.',
    ],
  },
  stolen: {
    title: 'Segnalato come rubato',
    lead: 'Il marchio ha segnalato questo prodotto come rubato.',
    advice: ['Non lo compri.', 'Se lo ha già, si rivolga al marchio o alla polizia.'],
  },
  unavailable: {
    title: 'Verifica non possibile al momento',
    lead: 'Il codice non è stato controllato. Questo non dice nulla del prodotto, né in bene né in male.',
    advice: ['Scansioni di nuovo il codice tra qualche secondo.'],
  },
  neutral: {
    title: 'Verifica questo prodotto',
    lead: 'Non è ancora stato verificato nulla. Apra questa pagina sul telefono per verificare il prodotto.',
    advice: [],
  },
  rateLimited: {
    title: 'Troppi controlli',
    lead: 'Dalla Sua rete sono stati controllati molti codici in un minuto, e questo no. Questo non dice nulla del prodotto.',
    advice: ['Attenda un minuto, poi scansioni di nuovo il codice.'],
  },
  copyWarning:
    'Il prodotto è venduto come nuovo e Lei non l’ha mai scansionato? Allora il codice potrebbe essere una copia: chieda al venditore o al marchio prima di fidarsi.',
  meaning: 'Che cosa fare',
  product: 'Prodotto',
  sku: 'Codice articolo',
  gtin: 'GTIN',
  item: 'Esemplare',
  issuedFor: 'Emesso per {brand}',
  issuedForUnnamed: 'Emesso per il marchio di questo prodotto',
  scans: 'Scansioni di questo codice',
  firstScan: 'Prima scansione',
  country: 'Paese',
  unknownCountry: 'sconosciuto',
  scanCount: 'Scansioni, compresa questa',
  justNow: 'proprio ora',
  checkedOn: 'Controllato il {date}',
  hostTitle: 'Controlli l’indirizzo',
  hostText:
    'Chiunque può copiare l’aspetto di una pagina, ma non il suo indirizzo. Confronti la barra degli indirizzi con il nome stampato accanto al codice: devono essere identici. Se non è stampato alcun nome, chieda al marchio.',
};
