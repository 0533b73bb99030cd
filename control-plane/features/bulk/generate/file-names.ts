/** File names in a zip, made from names that clients choose: unique in one folder, and unpackable on every system. */

/** Bytes of UTF-8, without the extension: file systems allow 255 for the whole name. */
const stemBytesMax = 200;

/** Device names on Windows, with any extension: https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const device = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;

/** Separators, characters that Windows forbids, invisible ones, and ones that change the direction of text. */
const unwanted = /[/\\:*?"<>|\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

const cutTo = (text: string, bytesMax: number): string => {
  let cut = '';
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > bytesMax) break;
    cut += character;
  }
  return cut;
};

/** The part before the extension; `_` if nothing is left of the name. */
const stemOf = (name: string): string => {
  const clean = name
    .normalize('NFC')
    .replaceAll(unwanted, '_')
    .replaceAll(/^[.\s~-]+/g, '_');
  const stem = cutTo(clean, stemBytesMax).replace(/[.\s]+$/, '');
  if (stem === '') return '_';
  // `con.tar.png` is a device name, too.
  return device.test(stem.split('.')[0]!.trim()) ? `_${stem}` : stem;
};

/**
 * A form that is equal if a file system that ignores case or composes letters takes two names for one. Upper case only
 * would tell `ẞ` from `ß`, and lower case only `ß` from `SS`.
 */
const folded = (name: string): string => name.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');

/**
 * @param taken names that are not given to any file
 * @returns a function that names each file, with a number if the name is already in use
 */
export const createFileNames = (
  ...taken: readonly string[]
): ((name: string, extension: string) => string) => {
  const used = new Set(taken.map(folded));
  /** The last number given for a name, so that a thousand equal names do not try every number each. */
  const lastNumbers = new Map<string, number>();
  return (name, extension) => {
    const stem = stemOf(name);
    const whole = folded(`${stem}.${extension}`);
    let chosen = `${stem}.${extension}`;
    let number = lastNumbers.get(whole) ?? 1;
    while (used.has(folded(chosen))) {
      number++;
      chosen = `${stem}-${number}.${extension}`;
    }
    lastNumbers.set(whole, number);
    used.add(folded(chosen));
    return chosen;
  };
};
