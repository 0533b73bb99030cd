/**
 * Makes the scripts of the pages that open sealed codes, one for each data type: `npm run sealed-scripts` after a change of what they hold
 * (browser/encrypted.js, content/, the payloads of shared/). They are the modules that show codes that are not sealed, in one text, made
 * small: a page has at most 15 KB. A test says when they are to be made again.
 */
import path from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { type DataType, dataTypes } from '#schemas/api/data-types.ts';

/** File in `content/` and function that shows what was sealed. */
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

/** The module that a script begins with; it is in no file. */
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

/** In the language of Safari 14 and of browsers of its time. */
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
