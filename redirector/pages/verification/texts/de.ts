import type { VerificationWords } from './words.ts';

export const de: VerificationWords = {
  authentic: {
    title: 'Echt',
    lead: 'Dieser Code ist echt, und er wird zum ersten Mal gescannt.',
    advice: [
      'So wird ein Code nur ein einziges Mal bestätigt. Wer ihn später scannt, erfährt, wann er zum ersten Mal gescannt wurde.',
    ],
  },
  scannedBefore: {
    title: 'Schon gescannt',
    lead: 'Dieser Code ist registriert, aber dies ist nicht sein erster Scan.',
    advice: ['Haben Sie ihn selbst schon gescannt, oder ist das Produkt gebraucht? Dann ist das normal.'],
  },
  sameDevice: {
    title: 'Wahrscheinlich haben Sie zuerst gescannt, {ago}',
    lead: 'Wenn jemand anderes den Code kurz vor Ihnen gescannt hat, am selben Ort oder in Ihrem Netz, behandeln Sie ihn als schon gescannt.',
    advice: [
      'Zehn Minuten lang nach dem ersten Scan erkennen wir ein Gerät an seiner Netzwerkadresse und seinem Browser wieder. Ein anderes Telefon desselben Modells kann genauso aussehen.',
      'Haben Sie selbst nicht gescannt? Dann fragen Sie die Marke, bevor Sie sich darauf verlassen.',
    ],
  },
  notGenuine: {
    title: 'Nicht echt',
    lead: 'Dieser Code wurde nicht hier ausgegeben. Er ist erfunden, verändert oder vertippt.',
    advice: [
      'Haben Sie die Adresse eingetippt? Dann vergleichen Sie jedes Zeichen, oder scannen Sie den Code selbst.',
      'Haben Sie ihn von einem Produkt gescannt? Dann trauen Sie dem Produkt nicht, und informieren Sie den Verkäufer oder die Marke.',
    ],
  },
  notKnown: {
    title: 'Nicht bekannt',
    lead: 'Zu diesem Code ist kein Produkt registriert.',
    advice: [
      'Ein Produkt mit diesem Code lässt sich nicht überprüfen: Halten Sie es nicht für echt.',
      'Fragen Sie den Verkäufer oder die Marke, und zeigen Sie den Code.',
    ],
  },
  recalled: {
    title: 'Zurückgerufen',
    lead: 'Die Marke hat dieses Produkt zurückgerufen.',
    advice: [
      'Verwenden Sie es nicht, und geben Sie es nicht weiter.',
      'Fragen Sie die Marke oder den Verkäufer, was damit zu tun ist und ob Sie Ersatz bekommen.',
    ],
  },
  stolen: {
    title: 'Als gestohlen gemeldet',
    lead: 'Die Marke hat dieses Produkt als gestohlen gemeldet.',
    advice: [
      'Kaufen Sie es nicht.',
      'Wenn Sie es schon haben, wenden Sie sich an die Marke oder an die Polizei.',
    ],
  },
  unavailable: {
    title: 'Prüfung gerade nicht möglich',
    lead: 'Der Code wurde nicht geprüft. Das sagt nichts über das Produkt, weder Gutes noch Schlechtes.',
    advice: ['Bitte scannen Sie den Code in ein paar Sekunden noch einmal.'],
  },
  neutral: {
    title: 'Dieses Produkt prüfen',
    lead: 'Noch ist nichts geprüft. Öffnen Sie diese Seite auf Ihrem Telefon, um das Produkt zu prüfen.',
    advice: [],
  },
  rateLimited: {
    title: 'Zu viele Prüfungen',
    lead: 'Aus Ihrem Netz wurden in einer Minute sehr viele Codes geprüft, dieser deshalb nicht. Das sagt nichts über das Produkt.',
    advice: ['Bitte warten Sie eine Minute, und scannen Sie den Code dann noch einmal.'],
  },
  copyWarning:
    'Wird das Produkt als neu verkauft, und Sie haben es noch nie gescannt? Dann kann der Code eine Kopie sein: Fragen Sie den Verkäufer oder die Marke, bevor Sie sich darauf verlassen.',
  meaning: 'Was Sie tun können',
  product: 'Produkt',
  sku: 'Artikelnummer',
  gtin: 'GTIN',
  item: 'Exemplar',
  issuedFor: 'Ausgegeben für {brand}',
  issuedForUnnamed: 'Ausgegeben für die Marke dieses Produkts',
  scans: 'Scans dieses Codes',
  firstScan: 'Erster Scan',
  country: 'Land',
  unknownCountry: 'nicht bekannt',
  scanCount: 'Scans, dieser mitgezählt',
  justNow: 'gerade eben',
  checkedOn: 'Geprüft am {date}',
  hostTitle: 'Adresse prüfen',
  hostText:
    'Das Aussehen einer Seite kann jeder kopieren, ihre Adresse nicht. Vergleichen Sie die Adresszeile mit dem Namen, der beim Code gedruckt ist: Beide müssen genau übereinstimmen. Ist dort kein Name gedruckt, dann fragen Sie die Marke.',
};
