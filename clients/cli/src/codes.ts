/** `waymark codes …`: list, get, create, update, deactivate and draw single codes. */
import { writeFile } from 'node:fs/promises';
import { ok, pages } from '@waymark/client';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Settings } from './settings.ts';

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** A whole number of at least 1. */
const wholeNumber = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
};

/** `a=1` to a field: JSON if it can be read as JSON, else a text. */
const field = (text: string, fields: Record<string, unknown> = {}): Record<string, unknown> => {
  const [, name, value] = /^([\w]+)=([\s\S]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It must be a field and its value, such as name=Menu or maxScans=100.');
  return { ...fields, [name]: readValue(value) };
};

const readValue = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const setOption = () =>
  new Option(
    '--set <field=value>',
    'another field of the body, as in the reference; may be repeated',
  ).argParser(field);
const outputOption = () => new Option('--json', 'print JSON instead of a table');

const list = async (
  { waymark, print }: Settings,
  { limit, json: asJson }: { limit: number; json?: boolean },
) => {
  let left = limit;
  for await (const code of pages(waymark, '/api/qr/codes', { query: { limit: Math.min(limit, 100) } })) {
    print(
      asJson
        ? JSON.stringify(code)
        : [code.id, code.status, code.scanCount, code.name ?? '', code.destination].join('\t'),
    );
    left -= 1;
    if (left === 0) return;
  }
};

const draw = async (
  { waymark, print }: Settings,
  id: string,
  { output, size }: { output: string; size: number },
) => {
  const format = /\.(png|svg|webp|jpg|pdf)$/.exec(output)?.[1] as 'png' | undefined;
  if (!format) throw new InvalidArgumentError('The file must end in .png, .svg, .webp, .jpg or .pdf.');
  const picture = await ok(
    waymark.GET('/api/qr/codes/{id}/image', {
      params: { path: { id }, query: { format, size } },
      parseAs: 'arrayBuffer',
    }),
  );
  await writeFile(output, Buffer.from(picture as unknown as ArrayBuffer));
  print(output);
};

export const addCodeCommands = (program: Command, settings: Settings): void => {
  // Read when a command runs: help needs no key.
  const api = () => settings.waymark;
  const { print } = settings;
  const codes = program.command('codes').description('Single codes.');
  codes
    .command('list')
    .description('Lists codes, newest first: id, status, scans, name, destination.')
    .option('--limit <count>', 'at most this many', wholeNumber, 100)
    .addOption(outputOption())
    .action((options) => list(settings, options));
  codes
    .command('get <id>')
    .description('Prints a code with its whole configuration, as JSON.')
    .action(async (id: string) =>
      print(json(await ok(api().GET('/api/qr/codes/{id}', { params: { path: { id } } })))),
    );
  codes
    .command('create <destination>')
    .description('Creates a code, and prints its id and its short URL.')
    .addOption(setOption())
    .action(async (data: string, { set }: { set?: object }) => {
      const code = await ok(api().POST('/api/qr/codes', { body: { data, ...set } }));
      print(`${code.id}\t${code.redirectUrl}`);
    });
  codes
    .command('update <id>')
    .description('Changes fields of a code: --set destination=https://example.com/new')
    .addOption(setOption().makeOptionMandatory())
    .action(async (id: string, { set }: { set: object }) =>
      print(json(await ok(api().PUT('/api/qr/codes/{id}', { params: { path: { id } }, body: set })))),
    );
  codes
    .command('deactivate <id>')
    .description('Switches a code off. Nothing of it is lost.')
    .action(async (id: string) => {
      const code = await ok(api().DELETE('/api/qr/codes/{id}', { params: { path: { id } } }));
      print(`${code.id}\t${code.status}`);
    });
  codes
    .command('image <id>')
    .description('Draws a code into a file; its ending decides the format.')
    .requiredOption('-o, --output <file>', 'such as code.png, code.svg or code.pdf')
    .option('--size <pixels>', 'width and height', wholeNumber, 1024)
    .action((id: string, options) => draw(settings, id, options));
};
