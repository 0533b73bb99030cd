/** A logo in a request: a picture as a data URI or in base64. */
import { boundedText } from './text.ts';

/** Bytes of a logo's file. */
export const logoBytesMax = 2 ** 20;

/** The first characters, in base64, of files that can be logos. */
const logoBeginnings: [type: string, beginning: RegExp][] = [
  ['png', /^iVBORw0KGgo/],
  ['jpeg', /^\/9j\//],
  ['gif', /^R0lGOD/],
  ['webp', /^UklGR[\w+/]{6}XRUJQ/],
  // `<sv`, `<?x`, `<!-` or `<!D`, perhaps after a byte order mark.
  ['svg+xml', /^(77u\/)?(PHN2|PD94|PCEt|PCFE)/],
];

const dataUri = /^data:image\/(png|jpe?g|gif|webp|svg\+xml);base64,/i;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Four characters encode three bytes. */
const logoBase64LengthMax = Math.ceil(logoBytesMax / 3) * 4;
/** `data:image/svg+xml;base64,` */
const dataUriHeadLengthMax = 26;
const logoTooLarge = 'must not be larger than 1 MB';
const pictureWords = 'a PNG, JPEG, GIF, WebP or SVG picture as a data URI or in base64';
const notLogoText = `must be a string, ${pictureWords}`;

const whyNoLogo = (text: string): string | undefined => {
  const head = dataUri.exec(text);
  const body = text.slice(head?.[0].length ?? 0);
  if (body.length > logoBase64LengthMax) return logoTooLarge;
  if (!base64.test(body) || body.length % 4 !== 0) return `must be ${pictureWords}`;
  const named = head?.[1]?.toLowerCase().replace(/^jpg$/, 'jpeg');
  const found = logoBeginnings.find(([, beginning]) => beginning.test(body))?.[0];
  if (found === undefined || (named !== undefined && named !== found))
    return `must be ${pictureWords}, and of the type that the data URI names`;
  return undefined;
};

export const logo = boundedText(
  logoBase64LengthMax + dataUriHeadLengthMax,
  logoTooLarge,
  notLogoText,
).superRefine((text, context) => {
  const message = whyNoLogo(text);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});
