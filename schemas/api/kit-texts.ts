/** Descriptions of the fields of a brand kit, for integrators: Markdown. */

const paint = (what: string, fallback: string) => `The colour of ${what}, \`#rrggbb\`. Default: ${fallback}.`;
const second = (what: string, enabled: string) =>
  `The colour in which the gradient of ${what} ends, \`#rrggbb\`; without it \`${enabled}\` does nothing.`;
const enables = (what: string, color: string) =>
  `Whether ${what} a gradient, towards \`${color}\`. Default: false.`;
const style = (what: string) => `The kind of the gradient of ${what}. Default: \`linear\`.`;
const rotation = (what: string) =>
  `The direction of the linear gradient of ${what}, in degrees: 0 runs from left to right, 90 from top to bottom. Default: 0.`;

export const kitTexts = {
  name: 'A name for people.',
  primaryColor: 'The colour of the dots, `#rrggbb`; where their gradient is on, the one that it begins with.',
  backgroundColor:
    'The colour behind the code, `#rrggbb`; where the background’s gradient is on, the one that it begins with.',
  dotType: 'The shape of a module. Default: `rounded`.',
  cornerType: 'The shape of the outer rings of the eyes. Default: `extra-rounded`.',
  cornerDotType: 'The shape of the centres of the eyes. Default: that of the dots.',
  logoUrl:
    'An absolute http or https URL of the logo: up to 1 MB of PNG, JPEG, GIF, WebP or SVG, not at a private address.',
  sortOrder: 'The place in the list: the smallest number comes first, kits without one last.',
  gradientEnabled: enables('the dots have', 'gradientColor'),
  gradientMidEnabled: 'Whether the gradient of the dots passes through `gradientMidColor`. Default: false.',
  bgGradientEnabled: enables('the background has', 'bgGradientColor2'),
  eyeGradientEnabled: enables('the rings of the eyes have', 'eyeGradientColor2'),
  eyeDotGradientEnabled: enables('the centres of the eyes have', 'eyeDotGradientColor2'),
  transparentBg: 'Whether there is nothing behind the code, in place of `backgroundColor`. Default: false.',
  logoHideDots: 'Whether modules behind the logo are left out. Default: true.',
  frameUppercase: 'Whether the caption is set in capital letters. Default: false.',
  gradientColor: second('the dots', 'gradientEnabled'),
  gradientMidColor: 'The colour in the middle of the gradient of the dots, `#rrggbb`.',
  bgGradientColor2: second('the background', 'bgGradientEnabled'),
  eyeColor: paint('the rings of the eyes', 'that of the dots'),
  eyeGradientColor2: second('the rings of the eyes', 'eyeGradientEnabled'),
  eyeDotColor: paint('the centres of the eyes', 'that of the dots'),
  eyeDotGradientColor2: second('the centres of the eyes', 'eyeDotGradientEnabled'),
  frameColor: paint('the frame', 'that of the eyes or dots, where it is a single one'),
  frameTextColor: paint('the caption', 'one that is legible on its background'),
  frameBgColor: paint('what the frame encloses', 'the background of the code'),
  gradientStyle: style('the dots'),
  bgGradientStyle: style('the background'),
  eyeGradientStyle: style('the rings of the eyes'),
  eyeDotGradientStyle: style('the centres of the eyes'),
  gradientRotation: rotation('the dots'),
  bgGradientRotation: rotation('the background'),
  eyeGradientRotation: rotation('the rings of the eyes'),
  eyeDotGradientRotation: rotation('the centres of the eyes'),
  bgRound: 'How round the corners of the background are: 0 is square, 1 fully rounded. Default: 0.',
  logoSize:
    'The longer side of the logo as a fraction of the code’s side without its quiet zone; 0 is no logo. Where one of this size would hide too much of a code, it is drawn as large as it is read, and `warnings` says so. Default: 0.3.',
  margin: 'The quiet zone, in modules, rounded to whole ones; 0 disables it. Default: 4.',
  logoMargin: 'Modules that are left free round the logo. Default: 0.',
  shape: 'The outline of the whole code. Default: `square`.',
  errorCorrection:
    'How much of the symbol may be covered or damaged: about 7 % (`L`), 15 % (`M`), 25 % (`Q`) or 30 % (`H`). Default: `M`, with a logo `H`.',
  frameId: 'The frame around the code; `none` means no frame, and is not stored.',
  frameFont: 'The typeface of the caption. Default: `sans`.',
  frameText: 'The caption of the frame. Default: `Scan me`.',
} as const;

/** Texts of fields that only answers have. */
export const kitOwnTexts = {
  kitId: 'The id of the kit, to be sent as `brandKitId`.',
  workspaceId: 'The id of the workspace that the kit belongs to.',
  createdBy: 'The id of the API key that it was made with.',
  createdAt: 'When it was made: milliseconds since 1970.',
  updatedAt: 'When it was last changed: milliseconds since 1970.',
} as const;
