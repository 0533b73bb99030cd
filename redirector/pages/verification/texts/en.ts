import type { VerificationWords } from './words.ts';

export const en: VerificationWords = {
  authentic: {
    title: 'Authentic',
    lead: 'This code is genuine, and this is its first scan.',
    advice: [
      'A code is confirmed like this only once. Everyone who scans it later is told when it was first scanned.',
    ],
  },
  scannedBefore: {
    title: 'Scanned before',
    lead: 'This code is on record, but this is not its first scan.',
    advice: ['Have you scanned it before, or is the product second-hand? Then this is to be expected.'],
  },
  sameDevice: {
    title: 'You probably scanned this first, {ago}',
    lead: 'If somebody else scanned it just before you, in the same place or with your network, treat it as scanned before.',
    advice: [
      'For ten minutes after a first scan, a device is recognised by its network address and its browser. Another phone of the same model can look the same.',
      'Were you not the one who scanned it? Then ask the brand before you rely on it.',
    ],
  },
  notGenuine: {
    title: 'Not genuine',
    lead: 'This code was not issued here. It is invented, altered or mistyped.',
    advice: [
      'Did you type the address? Then compare every character, or scan the code itself.',
      'Did you scan it from a product? Then do not trust the product, and tell the seller or the brand.',
    ],
  },
  notKnown: {
    title: 'Not known',
    lead: 'There is no product on record for this code.',
    advice: [
      'A product with this code cannot be verified: do not take it for authentic.',
      'Ask the seller or the brand, and show them the code.',
    ],
  },
  recalled: {
    title: 'Recalled',
    lead: 'The brand has recalled this product.',
    advice: [
      'Do not use it, and do not pass it on.',
      'Ask the brand or the seller what to do with it, and whether it is replaced.',
    ],
  },
  stolen: {
    title: 'Reported stolen',
    lead: 'The brand has reported this product as stolen.',
    advice: ['Do not buy it.', 'If you have it already, contact the brand or the police.'],
  },
  unavailable: {
    title: 'Cannot verify right now',
    lead: 'The code was not checked. This says nothing about the product, good or bad.',
    advice: ['Please scan the code again in a few seconds.'],
  },
  neutral: {
    title: 'Verify this product',
    lead: 'Nothing is verified yet. Open this page on your phone to verify the product.',
    advice: [],
  },
  rateLimited: {
    title: 'Too many checks',
    lead: 'Many codes were checked from your network within a minute, and this one was not. This says nothing about the product.',
    advice: ['Please wait a minute, then scan the code again.'],
  },
  copyWarning:
    'Is the product sold as new, and you have never scanned it? Then the code may be a copy: ask the seller or the brand before you rely on it.',
  meaning: 'What to do',
  product: 'Product',
  sku: 'SKU',
  gtin: 'GTIN',
  item: 'Item',
  issuedFor: 'Issued for {brand}',
  issuedForUnnamed: 'Issued for the brand of this product',
  scans: 'Scans of this code',
  firstScan: 'First scan',
  country: 'Country',
  unknownCountry: 'not known',
  scanCount: 'Scans, including this one',
  justNow: 'just now',
  checkedOn: 'Checked on {date}',
  hostTitle: 'Check the address',
  hostText:
    'Anyone can copy the look of a page, but not its address. Compare the address bar with the name printed next to the code: they must be exactly the same. If no name is printed there, ask the brand.',
};
