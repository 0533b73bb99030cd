import type { VerificationWords } from './words.ts';

export const fr: VerificationWords = {
  authentic: {
    title: 'Authentique',
    lead: 'Ce code est authentique, et c’est son premier scan.',
    advice: [
      'Un code n’est confirmé ainsi qu’une seule fois. Toute personne qui le scanne ensuite apprend quand il a été scanné pour la première fois.',
    ],
  },
  scannedBefore: {
    title: 'Déjà scanné',
    lead: 'Ce code est enregistré, mais ce n’est pas son premier scan.',
    advice: ['Vous l’avez déjà scanné, ou le produit est d’occasion\u202f? Alors c’est normal.'],
  },
  sameDevice: {
    title: 'Vous l’avez probablement scanné en premier, {ago}',
    lead: 'Si quelqu’un d’autre l’a scanné juste avant vous, au même endroit ou avec votre réseau, considérez-le comme déjà scanné.',
    advice: [
      'Pendant dix minutes après le premier scan, un appareil est reconnu à son adresse réseau et à son navigateur. Un autre téléphone du même modèle peut paraître identique.',
      'Ce n’est pas vous qui l’avez scanné\u202f? Alors interrogez la marque avant de vous y fier.',
    ],
  },
  notGenuine: {
    title: 'Non authentique',
    lead: 'Ce code n’a pas été émis ici. Il est inventé, modifié ou mal saisi.',
    advice: [
      'Vous avez saisi l’adresse\u202f? Alors comparez chaque caractère, ou scannez le code lui-même.',
      'Vous l’avez scanné sur un produit\u202f? Alors ne vous fiez pas au produit et prévenez le vendeur ou la marque.',
    ],
  },
  notKnown: {
    title: 'Inconnu',
    lead: 'Aucun produit n’est enregistré pour ce code.',
    advice: [
      'Un produit portant ce code ne peut pas être vérifié\u00a0: ne le tenez pas pour authentique.',
      'Interrogez le vendeur ou la marque en leur montrant le code.',
    ],
  },
  recalled: {
    title: 'Produit rappelé',
    lead: 'La marque a rappelé ce produit.',
    advice: [
      'Ne l’utilisez pas et ne le donnez à personne.',
      'Demandez à la marque ou au vendeur ce qu’il faut en faire et s’il est remplacé.',
    ],
  },
  stolen: {
    title: 'Signalé comme volé',
    lead: 'La marque a signalé ce produit comme volé.',
    advice: ['Ne l’achetez pas.', 'Si vous l’avez déjà, contactez la marque ou la police.'],
  },
  unavailable: {
    title: 'Vérification impossible pour le moment',
    lead: 'Le code n’a pas été vérifié. Cela ne dit rien du produit, ni en bien ni en mal.',
    advice: ['Veuillez scanner le code à nouveau dans quelques secondes.'],
  },
  neutral: {
    title: 'Vérifier ce produit',
    lead: 'Rien n’est encore vérifié. Ouvrez cette page sur votre téléphone pour vérifier le produit.',
    advice: [],
  },
  rateLimited: {
    title: 'Trop de vérifications',
    lead: 'De nombreux codes ont été vérifiés depuis votre réseau en une minute, et celui-ci ne l’a pas été. Cela ne dit rien du produit.',
    advice: ['Veuillez patienter une minute, puis scanner le code à nouveau.'],
  },
  copyWarning:
    'Le produit est vendu neuf et vous ne l’avez jamais scanné\u202f? Alors le code est peut-être une copie\u00a0: interrogez le vendeur ou la marque avant de vous y fier.',
  meaning: 'Que faire',
  product: 'Produit',
  sku: 'Référence',
  gtin: 'GTIN',
  item: 'Exemplaire',
  issuedFor: 'Émis pour {brand}',
  issuedForUnnamed: 'Émis pour la marque de ce produit',
  scans: 'Scans de ce code',
  firstScan: 'Premier scan',
  country: 'Pays',
  unknownCountry: 'inconnu',
  scanCount: 'Scans, celui-ci compris',
  justNow: 'à l’instant',
  checkedOn: 'Vérifié le {date}',
  hostTitle: 'Vérifiez l’adresse',
  hostText:
    'N’importe qui peut copier l’aspect d’une page, mais pas son adresse. Comparez la barre d’adresse avec le nom imprimé à côté du code\u00a0: ils doivent être exactement identiques. Si aucun nom n’y est imprimé, demandez à la marque.',
};
