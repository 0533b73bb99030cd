import type { VerificationWords } from './words.ts';

export const nl: VerificationWords = {
  authentic: {
    title: 'Echt',
    lead: 'Deze code is echt, en dit is de eerste scan.',
    advice: [
      'Zo wordt een code maar één keer bevestigd. Wie hem later scant, krijgt te zien wanneer hij voor het eerst is gescand.',
    ],
  },
  scannedBefore: {
    title: 'Al eerder gescand',
    lead: 'Deze code is geregistreerd, maar dit is niet de eerste scan.',
    advice: ['Hebt u hem al eerder gescand, of is het product tweedehands? Dan is dit normaal.'],
  },
  sameDevice: {
    title: 'U hebt dit waarschijnlijk als eerste gescand, {ago}',
    lead: 'Als iemand anders de code vlak voor u heeft gescand, op dezelfde plaats of via uw netwerk, beschouw hem dan als al eerder gescand.',
    advice: [
      'Tot tien minuten na de eerste scan wordt een apparaat herkend aan zijn netwerkadres en zijn browser. Een andere telefoon van hetzelfde model kan er hetzelfde uitzien.',
      'Hebt u hem niet zelf gescand? Vraag het dan het merk voordat u erop vertrouwt.',
    ],
  },
  notGenuine: {
    title: 'Niet echt',
    lead: 'Deze code is hier niet uitgegeven. Hij is verzonnen, veranderd of verkeerd getypt.',
    advice: [
      'Hebt u het adres getypt? Vergelijk dan elk teken, of scan de code zelf.',
      'Hebt u hem van een product gescand? Vertrouw het product dan niet, en meld het de verkoper of het merk.',
    ],
  },
  notKnown: {
    title: 'Niet bekend',
    lead: 'Bij deze code is geen product geregistreerd.',
    advice: [
      'Een product met deze code kan niet worden gecontroleerd: ga er niet van uit dat het echt is.',
      'Vraag het de verkoper of het merk, en laat de code zien.',
    ],
  },
  recalled: {
    title: 'Teruggeroepen',
    lead: 'Het merk heeft dit product teruggeroepen.',
    advice: [
      'Gebruik het niet, en geef het niet door.',
      'Vraag het merk of de verkoper wat u ermee moet doen en of u een ander krijgt.',
    ],
  },
  stolen: {
    title: 'Als gestolen opgegeven',
    lead: 'Het merk heeft dit product als gestolen opgegeven.',
    advice: ['Koop het niet.', 'Als u het al hebt, neem dan contact op met het merk of de politie.'],
  },
  unavailable: {
    title: 'Controle nu niet mogelijk',
    lead: 'De code is niet gecontroleerd. Dit zegt niets over het product, niets goeds en niets slechts.',
    advice: ['Scan de code over een paar seconden nog eens.'],
  },
  neutral: {
    title: 'Dit product controleren',
    lead: 'Er is nog niets gecontroleerd. Open deze pagina op uw telefoon om het product te controleren.',
    advice: [],
  },
  rateLimited: {
    title: 'Te veel controles',
    lead: 'Vanaf uw netwerk zijn in een minuut veel codes gecontroleerd, en deze niet. Dit zegt niets over het product.',
    advice: ['Wacht een minuut, en scan de code dan nog eens.'],
  },
  copyWarning:
    'Wordt het product als nieuw verkocht, en hebt u het nog nooit gescand? Dan kan de code een kopie zijn: vraag het de verkoper of het merk voordat u erop vertrouwt.',
  meaning: 'Wat u kunt doen',
  product: 'Product',
  sku: 'Artikelnummer',
  gtin: 'GTIN',
  item: 'Exemplaar',
  issuedFor: 'Uitgegeven voor {brand}',
  issuedForUnnamed: 'Uitgegeven voor het merk van dit product',
  scans: 'Scans van deze code',
  firstScan: 'Eerste scan',
  country: 'Land',
  unknownCountry: 'niet bekend',
  scanCount: 'Scans, deze meegeteld',
  justNow: 'zojuist',
  checkedOn: 'Gecontroleerd op {date}',
  hostTitle: 'Controleer het adres',
  hostText:
    'Iedereen kan nadoen hoe een pagina eruitziet, maar niet haar adres. Vergelijk de adresbalk met de naam die bij de code is gedrukt: ze moeten precies gelijk zijn. Staat daar geen naam, vraag het dan aan het merk.',
};
