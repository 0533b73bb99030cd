/** The drawing of sheets: what a press and a phone see. */
import { inflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { labelStockNames, labelStocks } from '#schemas/api/label-stocks.ts';
import { pageSizes, sheetLayout } from '#schemas/api/serialized-sheets.ts';
import { decodeQr } from '../../../../deploy/testing/decode.ts';
import { hasProgram } from '../../../../deploy/testing/programs.ts';
import { pointsPerMm, sheetSymbol } from '../../../rendering/index.ts';
import { setText } from '../../../rendering/sheets/set-text.ts';
import { captionNames, captionTexts } from './captions.ts';
import { gridOf, placesOf } from './grid.ts';
import { areApart, codeModules, isInside, quietZoneOf, textBoxes } from './testing/boxes.ts';
import {
  cutOut,
  type DrawnSheets,
  designOf,
  drawSheets,
  gtin,
  itemOf,
  payloadOf,
  poppler,
  sheetsOf,
  showPage,
  textOf,
} from './testing/drawn-sheets.ts';

const hasPoppler = hasProgram('pdftoppm');
const name = 'Extra virgin olive oil “Núñez”, cold pressed, 500 ml bottle';

/** Every code of the first page, as a phone reads its label alone. */
const readLabels = async (
  { design, pdf, items }: DrawnSheets,
  [width, height]: readonly [number, number],
) => {
  const shown = await showPage(pdf, 1, 600);
  const read: (string | undefined)[] = [];
  for (const [index] of items.entries()) {
    const [x, y] = design.places[index]!;
    read.push(await decodeQr(await cutOut(shown, design, [x, y, width, height])));
  }
  return read;
};

describe.skipIf(!hasPoppler)('on the sheets, as poppler draws them,', () => {
  test.each([
    [
      'the smallest modules',
      { page: { widthMm: 41, heightMm: 23 }, columns: 4, rows: 2, captions: false },
      [10.25, 11.5],
    ],
    [
      'all captions',
      {
        page: { widthMm: 90, heightMm: 60 },
        columns: 2,
        rows: 1,
        gapMm: 2,
        captions: ['productName', 'productSku', 'itemId', 'serial', 'gs1'],
      },
      [44, 60],
    ],
    [
      'crop marks',
      { page: { widthMm: 60, heightMm: 60 }, columns: 2, rows: 2, bleedMm: 3, captions: 'itemId' },
      [30, 30],
    ],
    [
      'text beside the code',
      { page: { widthMm: 88.9, heightMm: 12.7 }, columns: 2, rows: 1, captions: ['itemId', 'host'] },
      [44.45, 12.7],
    ],
    [
      'text on the left of the code',
      { page: { widthMm: 120, heightMm: 30 }, columns: 2, rows: 1, captions: ['serial', 'productName'] },
      [60, 30],
      'שמן זית כתית מעולה',
    ],
  ] as const)(
    'every code holds the address of its item: %s',
    async (_, layout, size, productName: string = name) => {
      const sheets = await drawSheets(layout, layout.columns * layout.rows, {
        productName,
        productSku: 'OIL-500',
      });
      expect(await readLabels(sheets, size)).toEqual(sheets.items.map(payloadOf));
    },
  );

  test('a module is as large as the layout says, and the quiet zone of four modules is white', async () => {
    const sheets = await drawSheets(
      { page: { widthMm: 30, heightMm: 34 }, columns: 1, rows: 1, captions: ['itemId', 'gs1'] },
      1,
    );
    const { label } = sheets.design;
    const { size } = sheetSymbol(payloadOf(itemOf(1)));
    const shown = await showPage(sheets.pdf, 1, 1200);
    const quiet = 4 * label.module;
    const side = size * label.module;
    const whole = await cutOut(shown, sheets.design, [
      label.x - quiet,
      label.y - quiet,
      side + 2 * quiet,
      side + 2 * quiet,
    ]);
    const { info } = await sharp(whole)
      .trim({ background: '#fff', threshold: 10 })
      .toBuffer({ resolveWithObject: true });
    const modulePixels = label.module * shown.perMm;
    expect(info.width / size / modulePixels).toBeCloseTo(1, 2);
    expect(info.height / size / modulePixels).toBeCloseTo(1, 2);
    expect(-info.trimOffsetLeft! / modulePixels).toBeCloseTo(4, 1);
    expect(-info.trimOffsetTop! / modulePixels).toBeCloseTo(4, 1);
  });

  test('captions are text that can be searched, in the order of the layout', async () => {
    const { pdf } = await drawSheets({ stock: 'L7160', captions: ['itemId', 'serial', 'gs1'] }, 2);
    const { itemId, serial } = itemOf(1);
    expect(textOf(pdf)).toContain(`${itemId}\n${serial}\n(01)${gtin}\n(21)${serial}`);
  });

  test('the name that a verification is compared with is printed below the id, unless it has no room or makes modules small', async () => {
    const names = captionNames(sheetLayout.parse({ stock: 'L7160' }));
    const bareBatch = { id: 'batch_test', gtin, productName: null, productSku: null };
    expect(captionTexts(bareBatch, names, itemOf(1), payloadOf(itemOf(1)))).toMatchObject([
      { name: 'itemId' },
      { name: 'host', text: 'qr.example.com' },
    ]);
    for (const [page, hostLines, host = 'qr.example.com'] of [
      [{ widthMm: 63.5, heightMm: 38.1 }, 1],
      [{ widthMm: 16, heightMm: 18 }, 1],
      // A line more, and modules would be smaller than a third of a millimetre.
      [{ widthMm: 15, heightMm: 16 }, 0],
      // Modules are small, and the name makes them no smaller.
      [{ widthMm: 12, heightMm: 30 }, 1],
      // Too narrow for the name, not for the code.
      [{ widthMm: 18, heightMm: 30 }, 0, `bakery-${'and-delicatessen-'.repeat(3)}.example.com`],
    ] as const) {
      const labelWith = async (captions: readonly string[]) => {
        const payload = payloadOf(itemOf(1)).replace('qr.example.com', host);
        return (await designOf({ page, columns: 1, rows: 1, captions }, {}, payload)).label;
      };
      const { module, fixed } = await labelWith(['itemId', 'host']);
      expect([page, fixed.length]).toEqual([page, hostLines]);
      const bare = await labelWith(['itemId']);
      if (module < 1 / 3 || hostLines === 0) expect(module).toBe(bare.module);
    }
  });

  test('the name is printed in the letters that address bars show, with its port, and left out if no font has them', async () => {
    const layout = { stock: 'L7160', captions: ['itemId', 'host'] };
    const at = (host: string) => payloadOf(itemOf(1)).replace('qr.example.com', host);
    const bareBatch = { id: 'batch_test', gtin, productName: null, productSku: null };
    const textAt = (host: string) => captionTexts(bareBatch, ['host'], itemOf(1), at(host));
    expect(textAt('xn--bcher-kva.example')).toMatchObject([{ text: 'bücher.example' }]);
    expect(textAt('localhost:8080')).toMatchObject([{ text: 'localhost:8080' }]);
    const linesAt = async (host: string) => (await designOf(layout, {}, at(host))).label.fixed.length;
    expect([await linesAt('bücher.example'), await linesAt('𒀀𒀁.example')]).toEqual([1, 0]);
  });

  test('captions are broken where labels are narrow, and stay on their labels', async () => {
    const sheets = await drawSheets(
      { page: { widthMm: 24, heightMm: 34 }, columns: 2, rows: 1, captions: ['itemId', 'serial'] },
      2,
    );
    const { itemId, serial } = itemOf(1);
    const lines = textOf(sheets.pdf).split('\n').join('');
    expect(lines).toContain(itemId);
    expect(lines).toContain(serial);
    const shown = await showPage(sheets.pdf, 1, 600);
    // Nothing is drawn at the edges of the labels.
    for (const x of [0, 11.8, 12, 23.8]) {
      const { channels } = await sharp(await cutOut(shown, sheets.design, [x, 0, 0.2, 34])).stats();
      expect(channels[0]!.min, `${x} mm`).toBe(255);
    }
  });

  test('all fonts are embedded', async () => {
    const { pdf } = await drawSheets({ stock: '5160', captions: ['itemId', 'productName'] }, 1, {
      productName: name,
    });
    const [, , ...fonts] = poppler('pdffonts', ['-'], pdf).toString().trim().split('\n');
    expect(fonts).toEqual([
      expect.stringMatching(/JetBrainsMono-Medium +CID TrueType +Identity-H +yes yes yes/),
    ]);
  });

  test('with a bleed, the trimmed page, its bleed and the marks around are boxes of the page', async () => {
    const { pdf, design } = await drawSheets(
      { page: 'A5', columns: 3, rows: 4, bleedMm: 3, captions: false },
      1,
    );
    const said = poppler('pdfinfo', ['-box', '-'], pdf).toString();
    const box = (which: string) =>
      new RegExp(`${which}: +([\\d. ]+)`)
        .exec(said)![1]!
        .split(/ +/)
        .map((points) => Number(points) / pointsPerMm);
    const { slug } = design;
    const around = (by: number) => [slug - by, slug - by, slug + 148 + by, slug + 210 + by];
    const close = (boxes: number[]) => boxes.map((each) => expect.closeTo(each, 1));
    expect(box('TrimBox')).toEqual(close(around(0)));
    expect(box('BleedBox')).toEqual(close(around(3)));
    expect(box('MediaBox')).toEqual(close(around(slug)));
  });
});

test('a press prints everything in one ink: black of CMYK is the only colour', async () => {
  const { contents, pdf } = await drawSheets({ stock: 'L7651', captions: ['productName', 'gs1'] }, 65, {
    productName: name,
  });
  for (const content of contents) {
    const operators = inflateSync(content).toString('latin1');
    const colours = operators.match(/(?<=\s)(?:[gGkK]|rg|RG|cs|CS|sc|SC|scn|SCN|sh)(?=\s)/g);
    expect(colours).toEqual(['k', 'K']);
    expect(operators).toContain('0 0 0 1 k 0 0 0 1 K');
  }
  expect(pdf.toString('latin1')).not.toMatch(/Subtype \/Image|ICCBased|DeviceRGB|DeviceGray/);
});

describe('crop marks', () => {
  test('are at the corners of the page and at the edges of labels, outside of page and bleed', async () => {
    const { marks, slug } = await designOf({
      page: { widthMm: 100, heightMm: 60 },
      columns: 2,
      rows: 1,
      gapMm: 4,
      bleedMm: 3,
      marginMm: { left: 5, right: 5 },
    });
    const across = marks.filter(([, y1, , y2]) => y1 === y2);
    const down = marks.filter(([x1, , x2]) => x1 === x2);
    expect([...new Set(down.map(([x]) => x))].sort((a, b) => a - b)).toEqual([0, 5, 48, 52, 95, 100]);
    expect([...new Set(across.map(([, y]) => y))]).toEqual([0, 60]);
    for (const [x1, y1, x2, y2] of marks) {
      const outside = (value: number, length: number) => value <= -3 || value >= length + 3;
      expect(outside(x1, 100) || outside(y1, 60)).toBe(true);
      expect(outside(x2, 100) || outside(y2, 60)).toBe(true);
      expect(Math.min(x1, y1, x2, y2)).toBeGreaterThan(-slug);
    }
  });

  test('are not there without a bleed', async () => {
    const { marks, slug } = await designOf({ page: 'A4', columns: 2, rows: 2 });
    expect([marks, slug]).toEqual([[], 0]);
  });
});

describe('on the labels of every stock', () => {
  test('the text is beside the code, which is larger than with the text below it', async () => {
    for (const stock of labelStockNames) {
      const { label } = await designOf({ stock }, { productName: name });
      const { widthMm, heightMm } = labelStocks[stock].labelMm;
      const quietRight = label.x + (codeModules + 4) * label.module;
      for (const each of textBoxes(label)) expect(each.left, stock).toBeGreaterThan(quietRight);
      // Without captions, a code is as large as its label.
      const bare = (await designOf({ stock, captions: false })).label.module;
      const isNarrow = widthMm < 1.5 * heightMm;
      expect(label.module / bare, stock).toBeGreaterThan(isNarrow ? 0.8 : 0.999);
    }
  });

  test('a code of 5163 is 40 mm wide, also with a name, a SKU, an id and the host beside it', async () => {
    const { label } = await designOf(
      { stock: '5163', captions: ['productName', 'productSku', 'itemId', 'host'] },
      { productName: name, productSku: 'OIL-500' },
    );
    expect(label.module * codeModules).toBeGreaterThanOrEqual(40);
  });

  test('the host is printed with all that a code is sold with', async () => {
    for (const stock of labelStockNames) {
      for (const host of ['qr.example.com', 'verify.northern-lights-ceramics.example']) {
        for (const captions of [
          ['itemId', 'host'],
          ['productName', 'productSku', 'itemId', 'host'],
        ]) {
          const { design, omitted } = await sheetsOf(
            { stock, captions },
            { productName: name, productSku: 'OIL-500' },
            payloadOf(itemOf(1)).replace('qr.example.com', host),
          );
          expect([stock, host, omitted, design.label.fixed.length]).toEqual([
            stock,
            host,
            [],
            captions.length - 1,
          ]);
        }
      }
    }
  });

  test('texts of any length and direction are inside the label, and outside of the code and its quiet zone', async () => {
    const names = [
      'Oil',
      name,
      `${name}, harvest 2026, from our own groves`,
      'Donaudampfschifffahrtsgesellschaft',
      'W'.repeat(200),
      'שמן זית כתית מעולה בכבישה קרה מהמטעים שלנו בהרי יהודה, 500 מ״ל',
    ];
    let drawn = 0;
    for (const stock of labelStockNames) {
      const { widthMm, heightMm } = labelStocks[stock].labelMm;
      for (const productName of names) {
        for (const serial of ['7', '7'.repeat(20)]) {
          const captions = ['productName', 'itemId', 'serial', 'gs1', 'host'].slice(0, widthMm > 45 ? 5 : 3);
          const { label } = await designOf({ stock, captions }, { productName }, undefined, {
            ...itemOf(1),
            serial,
          });
          const what = `${stock} ${productName} ${serial}`;
          const quiet = quietZoneOf(label);
          expect(isInside(quiet, { left: 0, top: 0, right: widthMm, bottom: heightMm }), what).toBe(true);
          for (const box of textBoxes(label)) {
            expect(isInside(box, { left: 0.2, top: 0, right: widthMm - 0.2, bottom: heightMm }), what).toBe(
              true,
            );
            expect(areApart(box, quiet), what).toBe(true);
            drawn++;
          }
        }
      }
    }
    expect(drawn).toBeGreaterThan(labelStockNames.length * names.length * 2 * 2);
  });

  test('texts are on the left of the code, and end at it, if the name is read from right to left', async () => {
    const { label } = await designOf(
      { stock: '5163', captions: ['productName', 'itemId', 'host'] },
      { productName: 'שמן זית' },
    );
    const quiet = quietZoneOf(label);
    const ends = textBoxes(label).map(({ right }) => right);
    for (const end of ends) {
      expect(end).toBeLessThan(quiet.left);
      expect(end).toBeCloseTo(Math.max(...ends), -0.3);
    }
  });

  test('labels that are not wider than high have their text below the code', async () => {
    const { label } = await designOf({ page: { widthMm: 40, heightMm: 40 }, columns: 1, rows: 1 });
    const { bottom } = quietZoneOf(label);
    for (const { top } of textBoxes(label)) expect(top).toBeGreaterThanOrEqual(bottom - 0.001);
  });

  test('what has no room is named', async () => {
    const tiny = { page: { widthMm: 15, heightMm: 16 }, columns: 1, rows: 1 };
    expect((await sheetsOf(tiny)).omitted).toEqual(['host']);
    expect((await sheetsOf({ stock: '5167' })).omitted).toEqual([]);
  });
});

describe('labels are where the stock has them', () => {
  test.each([
    ['L7160', [7.25, 15.15], [66, 38.1]],
    ['L7163', [4.65, 15.15], [101.6, 38.1]],
    ['L7651', [4.75, 10.7], [40.6, 21.2]],
    ['5160', [4.7625, 12.7], [69.85, 25.4]],
    ['5163', [3.96875, 12.7], [106.3625, 50.8]],
    ['5167', [7.14375, 12.7], [52.3875, 12.7]],
  ] as const)('%s: the first label, and the pitch', (stock, first, pitch) => {
    const grid = gridOf(sheetLayout.parse({ stock }));
    const places = placesOf(grid);
    const close = (numbers: readonly number[]) => numbers.map((each) => expect.closeTo(each, 6));
    expect(places[0]).toEqual(close(first));
    expect(places[grid.columns + 1]).toEqual(close([first[0] + pitch[0], first[1] + pitch[1]]));
  });

  test('every stock is expressed by measures as well, and takes a code with its id', async () => {
    for (const stock of labelStockNames) {
      const { page, columns, rows, labelMm, gapMm } = labelStocks[stock];
      const { widthMm, heightMm } = pageSizes[page];
      const margin = {
        left: (widthMm - columns * labelMm.widthMm - (columns - 1) * gapMm.columns) / 2,
        top: (heightMm - rows * labelMm.heightMm) / 2,
      };
      const measured = await designOf({ page, columns, rows, labelMm, gapMm, marginMm: margin });
      const named = await designOf({ stock });
      for (const [index, place] of measured.places.entries())
        expect(named.places[index], stock).toEqual(place.map((each) => expect.closeTo(each, 6)));
      expect(measured.label.module).toBeCloseTo(named.label.module, 6);
    }
  });
});

describe('a layout is refused', () => {
  const refusal = async (layout: object, batch: object = {}): Promise<string> =>
    designOf(layout, batch).then(
      () => 'it is not',
      (error: Error) => error.message,
    );

  test.each([
    [
      'too many columns',
      { page: 'A4', columns: 30, rows: 10, captions: false },
      /^layout\.columns leaves labels of 6\.33 × 27\.7 mm, in which one module would be 0\.15 mm; it must be at least 0\.25 mm; at most (\d+) columns fit$/,
      'columns',
    ],
    [
      'too many rows',
      { page: 'A4', columns: 10, rows: 40, gapMm: 1, captions: false },
      /^layout\.rows leaves labels of 18\.1 × 5\.95 mm, in which one module would be 0\.14 mm; .* at most (\d+) rows fit$/,
      'rows',
    ],
    [
      'too many rows for the captions',
      { page: 'A4', columns: 8, rows: 24, captions: ['itemId', 'gs1'] },
      /^layout\.rows leaves .* would be 0\.\d+ mm; .*at most (\d+) rows fit; without captions a module would be 0\.28 mm$/,
      'rows',
    ],
  ] as const)(
    'with %s: it names the field, the size of a module, and how many fit; so many do, and one more does not',
    async (_, layout, message, field) => {
      const said = await refusal(layout);
      expect(said).toMatch(message);
      const most = Number(message.exec(said)![1]);
      expect((await designOf({ ...layout, [field]: most })).label.module).toBeGreaterThanOrEqual(0.2499);
      expect(await refusal({ ...layout, [field]: most + 1 })).toMatch(/must be at least 0\.25 mm/);
    },
  );

  test('with too many columns and too many rows: it says how many of both fit together, and no more do', async () => {
    const layout = { page: 'A4', columns: 40, rows: 50, captions: false };
    const said = await refusal(layout);
    const [, columns, rows] = /; at most (\d+) columns and (\d+) rows fit together$/.exec(said)!.map(Number);
    const both = { ...layout, columns: columns!, rows: rows! };
    expect((await designOf(both)).label.module).toBeGreaterThanOrEqual(0.2499);
    expect(await refusal({ ...layout, columns: columns! + 1, rows: rows! + 1 })).toMatch(
      /must be at least 0\.25 mm/,
    );
  });

  test.each([
    [
      'margins that leave nothing',
      { page: 'A4', columns: 2, rows: 2, marginMm: 150, captions: false },
      /^layout\.marginMm: margins and gaps leave no room for labels$/,
    ],
    [
      'margins that leave too little for one label',
      { page: 'A4', columns: 2, rows: 2, marginMm: 101, captions: false },
      /^layout\.marginMm leaves labels of 4 × /,
    ],
    [
      'a page that is too small for one label of many',
      { page: { widthMm: 10, heightMm: 8 }, columns: 2, rows: 2, captions: false },
      /^layout\.page leaves labels of 5 × 4 mm, in which one module would be/,
    ],
    [
      'a label of its own that is too small',
      { page: 'A4', columns: 2, rows: 2, labelMm: { widthMm: 9, heightMm: 30 }, captions: false },
      /^layout\.labelMm leaves labels of 9 × 30 mm, in which one module would be 0\.21 mm/,
    ],
    [
      'a page that is too small',
      { page: { widthMm: 10, heightMm: 8 }, columns: 1, rows: 1, captions: false },
      /^layout\.page leaves labels of 10 × 8 mm, in which one module would be 0\.19 mm/,
    ],
    [
      'labels beyond the page',
      { page: 'A4', columns: 4, rows: 2, labelMm: { widthMm: 60, heightMm: 30 } },
      /^layout\.columns is too many: 4 columns of labelMm with their gaps and margins need 240 mm, and the page has 210 mm/,
    ],
    [
      'gaps that leave nothing',
      { page: 'A4', columns: 4, rows: 2, gapMm: 80, captions: false },
      /^layout\.columns: margins and gaps leave no room for labels; at most 2 columns fit$/,
    ],
  ])('with %s', async (_, layout, message) => {
    expect(await refusal(layout)).toMatch(message);
  });

  test('with a caption that the batch has nothing for', async () => {
    const layout = { stock: 'L7160', captions: ['itemId', 'gs1'] };
    expect(await refusal(layout, { gtin: null })).toBe(
      'layout.captions must not have gs1: the batch batch_test has no gtin',
    );
    expect(await refusal({ ...layout, captions: 'productSku' })).toMatch(/has no productSku$/);
  });

  test('with a product name that no font can draw: it names the characters', async () => {
    expect(await refusal({ stock: 'L7160', captions: 'productName' }, { productName: 'Oil 𒀀' })).toMatch(
      /^layout\.captions productName has 𒀀 \(U\+12000\), which no caption font can draw/,
    );
  });

  test('with a GS1 text whose elements would have to be broken', async () => {
    const layout = { page: 'A4', columns: 9, rows: 5, captions: 'gs1' };
    expect(await refusal(layout)).toMatch(
      /^layout\.captions: gs1 is too long for labels of 21\.11 × 55\.4 mm, in type of 4 points; at most 8 columns fit;/,
    );
    expect((await designOf({ ...layout, columns: 8 })).label.lines).toHaveLength(2);
  });

  test('with a SKU that has no room: a part of it would be another one', async () => {
    expect(
      await refusal({ stock: 'L7651', captions: ['itemId', 'productSku'] }, { productSku: 'X'.repeat(200) }),
    ).toMatch(
      /^layout\.captions\[1\]: productSku is too long for labels of 38\.1 × 21\.2 mm, in type of 4 points/,
    );
  });
});

describe('a product name', () => {
  const task = {
    field: 'name',
    width: 40,
    size: 2.8,
    sizeMin: 2.1,
    linesMax: 2,
    mayShorten: true,
    align: 'middle',
  } as const;

  test('that is short is on one line', async () => {
    expect((await setText({ ...task, text: 'Olive oil' }))!.lines).toEqual(['Olive oil']);
  });

  test('that is longer is on two lines, broken at a space', async () => {
    expect((await setText({ ...task, text: 'Olive oil, cold pressed, from our groves' }))!.lines).toEqual([
      'Olive oil, cold pressed, from',
      'our groves',
    ]);
  });

  test('is in smaller type rather than broken within a word, and broken within a word only if that has no room', async () => {
    const narrow = { ...task, width: 24, linesMax: 3 };
    expect((await setText({ ...narrow, text: 'Handgezogene Bienenwachskerzen' }))!.lines).toEqual([
      'Handgezogene',
      'Bienenwachskerzen',
    ]);
    expect((await setText({ ...narrow, width: 18, text: 'Handgezogene Bienenwachskerzen' }))!.lines).toEqual([
      'Handgezogene',
      expect.stringMatching(/^Bienen/),
      expect.stringMatching(/en$/),
    ]);
  });

  test.each([
    ['words', `${name}, harvest 2026, from our own groves`, /^Extra virgin olive oil/],
    ['one word', 'W'.repeat(200), /^W+$/],
    [
      'right to left',
      'שמן זית כתית מעולה בכבישה קרה מהמטעים שלנו בהרי יהודה, חמש מאות מיליליטר בבקבוק זכוכית כהה',
      /^שמן/,
    ],
    [
      'Chinese',
      '特级初榨橄榄油，冷压榨，五百毫升瓶装，二〇二六年收获，西班牙安达卢西亚，家庭农场直供',
      /^特级/,
    ],
    ['emoji', '👩‍👩‍👧‍👦'.repeat(40), /^👩‍👩‍👧‍👦/],
  ])('that has no room is shortened between characters, with an ellipsis: %s', async (_, text, beginning) => {
    const set = await setText({ ...task, text });
    expect(set!.lines).toHaveLength(2);
    expect(set!.lines[0]).toMatch(beginning);
    expect(set!.lines[1]).toMatch(/.…$/u);
    const kept = set!.lines.join('').slice(0, -1).replaceAll(' ', '');
    expect(text.replaceAll(' ', '').startsWith(kept)).toBe(true);
  });
});
