/**
 * Makes the scripts of the pages that open sealed codes, one per data type. Run `npm run sealed-scripts` after changing
 * their sources (browser/encrypted.js, content/, the payloads of shared/). A script is the modules that show unsealed
 * codes, bundled and minified: a page has at most 15 KB. A test fails if they are out of date.
 */
import path from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { type DataType, dataTypes } from '#schemas/api/data-types.ts';

/** The file in `content/` and the function that shows the sealed content. */
const views: Record<DataType, readonly [file: string, show: string]> = {
  url: ['location', 'showLocation'],
  gs1: ['location', 'showLocation'],
  text: ['text', 'showText'],
  email: ['email', 'showEmail'],
  wifi: ['wifi', 'showWifi'],
  vcard: ['vcard', 'showVcard'],
  sms: ['sms', 'showSms'],
  phone: ['phone', 'showPhone'],
  geo: ['geo', 'showGeo'],
  vcalendar: ['vcalendar', 'showVcalendar'],
  mecard: ['mecard', 'showMecard'],
};

/** The entry module of a script; it is virtual. */
const id = path.join(import.meta.dirname, '../beginning.js');

const beginning = (dataType: DataType): Plugin => {
  const [file, show] = views[dataType];
  return {
    name: 'beginning',
    resolveId: (source) => (source === id ? id : null),
    load: (source) =>
      source === id
        ? `import { ${show} } from './content/${file}.ts';
           import { openWith } from './browser/encrypted.js';
           openWith(${show});`
        : null,
  };
};

/** For Safari 14 and browsers of its time. */
const bundle = async (dataType: DataType): Promise<string> => {
  const made = await rolldown({
    input: id,
    plugins: [beginning(dataType)],
    transform: { target: 'es2020' },
    treeshake: { moduleSideEffects: false },
    onLog: (_, { message }) => {
      throw new Error(message);
    },
  });
  try {
    const { output } = await made.generate({ format: 'iife', minify: true });
    return `${output[0].code.trim()}\n`;
  } finally {
    await made.close();
  }
};

/** The text of the script of each type. */
export const makeSealedScripts = async (): Promise<Map<DataType, string>> =>
  new Map(await Promise.all(dataTypes.map(async (type) => [type, await bundle(type)] as const)));
