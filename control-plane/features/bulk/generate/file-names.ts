/**
 * Names of files in a zip, by names that clients choose: they can be unpacked on every system, in one folder, and none takes the
 * place of another.
 */

/** Bytes of UTF-8, without the extension: file systems take 255 for the whole name. */
const stemBytesMax = 200;

/** What Windows takes for a device, whatever the extension: https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const device = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;

/** Separators, what Windows does not take, and characters that nobody sees or that turn the text around them. */
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

/** The part before the extension. A name without a letter that is left is `_`. */
const stemOf = (name: string): string => {
  const clean = name
    .normalize('NFC')
    .replaceAll(unwanted, '_')
    .replaceAll(/^[.\s~-]+/g, '_');
  const stem = cutTo(clean, stemBytesMax).replace(/[.\s]+$/, '');
  if (stem === '') return '_';
  // `con.tar.png` is a device, too.
  return device.test(stem.split('.')[0]!.trim()) ? `_${stem}` : stem;
};

/**
 * What is one name to a file system that knows no upper and lower case, or composes letters. To upper case alone `ẞ` is not `ß`, and to
 * lower case alone `ß` is not `SS`.
 */
const folded = (name: string): string => name.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');

/**
 * @param taken names that none may have
 * @returns a function that is called for each file, and gives it a name: with a number where it would be another's
 */
export const createFileNames = (
  ...taken: readonly string[]
): ((name: string, extension: string) => string) => {
  const used = new Set(taken.map(folded));
  /** The number that a name had last: not every one is tried for each of a thousand that are alike. */
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
