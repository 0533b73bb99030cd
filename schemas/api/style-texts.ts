/** Descriptions of the keys of a style, for integrators: Markdown. */

export const styleTexts = {
  preset:
    'A look to begin with; fields that are sent with it win. It is stored by its name: a release that redraws a preset redraws the ' +
    'codes that use it. Not together with `brandKitId`.',
  brandKitId:
    'The `kitId` of a brand kit of the workspace: the look to begin with; fields that are sent with it win. Not together with `preset`.',
  shape: 'The outline of the whole code. Default: `square`.',
  frame:
    'The frame around the code, and its caption. `text`: up to 24 characters, on one line, or on two before it becomes too ' +
    'small to be read; emoji are drawn in one colour. `textColor`: at least 3 to 1 against its background; where it is left out, one is ' +
    'chosen that is. `background`: `transparent` shows what is behind, which in a JPEG is white.',
  qrOptions: 'How the symbol is encoded.',
  dotsOptions: 'The modules of the code, but for its eyes.',
  cornersSquareOptions: 'The outer rings of the three eyes.',
  cornersDotOptions: 'The centres of the three eyes.',
  backgroundOptions: 'What is behind the modules.',
  image: 'A logo for the centre, as a data URI or in base64; up to 1 MB of PNG, JPEG, GIF, WebP or SVG.',
  imageOptions: 'How the logo is placed.',
  width:
    'Pixels. Of `width` and `height`, the one that is left out follows from the frame’s proportions (at most 4096); without a ' +
    'frame it is the same. Without both the picture is a square of 512 pixels.',
  height: 'Pixels; see `width`.',
  margin: 'The quiet zone, in modules; 0 disables it. Default: 4.',
  returnType:
    'The format of the picture, where an operation has no `format` of its own; `jpeg` is another name of `jpg`. Default: `png`.',
} as const;

export const clearedText = '`null` takes it away and leaves the rest.';

export const gradientTexts = {
  type: '`linear`: along a line. `radial`: from the centre outwards.',
  rotation:
    'The direction of a linear gradient, in radians: 0 runs from left to right, π/2 from top to bottom. Default: 0. A ' +
    'radial one has none.',
  colorStops: 'The colours that it passes through, in the order of their offsets.',
} as const;

export const colorStopTexts = {
  offset: 'Where the colour is reached: 0 is the beginning of the gradient, 1 its end.',
  color: 'A colour, `#rrggbb`.',
} as const;

const colorForms = 'A colour, `#rrggbb`, or a gradient.';
const backgroundForms = 'A colour, `#rrggbb`, a gradient, or `transparent`.';

export const frameTexts = {
  id: 'Which frame; `none` is none.',
  text: 'The caption. Default: `Scan me`; `""` leaves it out.',
  color: `${colorForms} The frame itself. Default: the colour of the eyes or dots, where it is a single one.`,
  textColor: `${colorForms} The caption. Default: one that is legible on its background.`,
  background: `${backgroundForms} What the frame encloses. Default: the background of the code.`,
  font: 'The typeface of the caption. Default: `sans`.',
  uppercase: 'Whether the caption is set in capital letters. Default: false.',
} as const;

export const qrOptionsTexts = {
  errorCorrectionLevel:
    'How much of the symbol may be covered or damaged: about 7 % (`L`), 15 % (`M`), 25 % (`Q`) or 30 % (`H`). Default: `M`, with a logo `H`.',
  typeNumber:
    'The version of the symbol, which gives its size: 1 has 21 modules on a side, each further one 4 more. Default: 0, the smallest that holds the data.',
  mode: 'How the characters are encoded. Default: `auto`, whatever is shortest.',
} as const;

const eyeType = 'The shape. Default: that of the dots.';
const eyeColor = `${colorForms} Default: that of the dots.`;

export const dotsTexts = {
  type: 'The shape of a module. Default: `square`.',
  color: `${colorForms} Default: \`#000000\`.`,
} as const;

export const eyeTexts = { type: eyeType, color: eyeColor } as const;

export const backgroundTexts = {
  color: `${backgroundForms} Default: white.`,
  round: 'How round its corners are: 0 is square, 1 fully rounded. Default: 0.',
} as const;

export const imageOptionsTexts = {
  imageSize:
    'The longer side of the logo as a fraction of the code’s side without its quiet zone; 0 is no logo. Where one of this size would hide too much of a code, it is drawn as large as it is read, and `warnings` says so. Default: 0.3.',
  margin: 'Modules that are left free round the logo, whose size stays. Default: 0.',
  hideBackgroundDots: 'Whether modules behind the logo are left out. Default: true.',
} as const;
