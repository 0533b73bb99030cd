import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { sheetXml, workbookOf } from '../../../platform/spreadsheets/testing/zip.ts';
import { writeXlsx } from '../../../platform/spreadsheets/write-spreadsheet.ts';
import {
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { encodeForm } from '../../../testing/form.ts';
import { columnNames } from './columns.ts';
import { exampleRows } from './template.ts';

let plane: TestControlPlane;
let workspace: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  workspace = await plane.workspace();
});

const reportShape = z.looseObject({
  bulkId: z.string().nullable(),
  sheetRows: z.number(),
  submitted: z.number(),
  invalid: z.array(z.object({ row: z.number(), column: z.string().optional(), message: z.string() })),
  warnings: z.array(z.object({ row: z.number().optional(), message: z.string() })),
  source: z.string().optional(),
  rows: z.array(z.object({ row: z.number(), uid: z.string(), body: z.looseObject({}) })).optional(),
});

interface Upload {
  fields?: Record<string, string>;
  query?: string;
  by?: Workspace;
  headers?: Record<string, string>;
}

const send = async (
  file: string | Buffer,
  { fields = {}, query = '', by = workspace, headers = {} }: Upload = {},
) => {
  const form = await encodeForm(fields, file);
  return by.call('POST', `/api/qr/codes/bulk/upload${query}`, form.body, {
    ...form.headers,
    ...headers,
  });
};

const report = async (file: string | Buffer, upload: Upload = {}, status = 200) => {
  const answer = await send(file, upload);
  expect([answer.status, answer.body]).toEqual([status, answer.body]);
  return reportShape.parse(answer.body);
};

/** What would be made. */
/** More structure than any style has. */
const muchJson = `{${Array.from({ length: 1_001 }, (_, n) => `"a${n}":1`).join(',')}}`;
const muchRefused = 'must not have more than 2000 fields, values and entries';

const dryRun = (file: string | Buffer, fields: Record<string, string> = {}) =>
  report(file, { fields, query: '?dryRun=true' });

const bodiesOf = async (file: string | Buffer, fields: Record<string, string> = {}) => {
  const { rows = [], invalid } = await dryRun(file, fields);
  expect(invalid).toEqual([]);
  return rows.map(({ body }) => body);
};

const refusalOf = async (file: string | Buffer, fields: Record<string, string> = {}) => {
  const { status, body } = await send(file, { fields, query: '?dryRun=true' });
  return [status, z.object({ error: z.string() }).parse(body).error];
};

const csv = (...rows: (readonly string[])[]): string =>
  rows.map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')).join('\n');

/** A sheet with one row. */
const sheet = (cells: Record<string, string>): string => csv(Object.keys(cells), Object.values(cells));

const destination = 'https://example.com/a';

const resultOf = async (bulkId: string) => {
  const status = async () =>
    z.object({ status: z.string() }).parse((await workspace.call('GET', `/api/qr/codes/bulk/${bulkId}`)).body)
      .status;
  await expect.poll(status, { timeout: 60_000 }).toBe('completed');
  return (await workspace.call('GET', `/api/qr/codes/bulk/${bulkId}/result`)).body;
};

describe('an upload', () => {
  test('submits the valid rows, and lists the others with row, column and reason', async () => {
    const file = csv(
      ['name', 'destination', 'expiresAt'],
      ['One', 'https://example.com/1', ''],
      ['Two', 'javascript:alert(1)', '2020-01-31'],
      ['', '', ''],
      ['Three', 'https://example.com/3', '2090-01-31'],
    );
    const { bulkId, sheetRows, submitted, total, invalid } = await report(file, {}, 202);
    // `total` is the operation's, as in its status.
    expect({ sheetRows, submitted, total }).toEqual({ sheetRows: 3, submitted: 2, total: 2 });
    expect(invalid).toEqual([
      { row: 3, column: 'expiresAt', message: "expiresAt must be in the future; given: '2020-01-31'" },
      { row: 3, column: 'destination', message: expect.stringContaining('destination must') },
    ]);
    expect(await resultOf(bulkId!)).toEqual([
      expect.objectContaining({ uid: '2', status: 'created' }),
      expect.objectContaining({ uid: '5', status: 'created' }),
    ]);
  });

  test('without a valid row submits nothing and uses no quota', async () => {
    const limited = await plane.workspace({ limits: { bulkOrders: 1, dynamicQr: 5 } });
    const bad = await report(sheet({ destination: 'ftp://example.com' }), { by: limited });
    expect(bad).toMatchObject({
      bulkId: null,
      sheetRows: 1,
      submitted: 0,
      invalid: [{ row: 2, column: 'destination' }],
    });
    expect(await report(sheet({ destination }), { by: limited, query: '?dryRun=true' })).toMatchObject({
      bulkId: null,
    });
    expect((await send(sheet({ destination }), { by: limited })).status).toBe(202);
    const answer = await send(sheet({ destination }), { by: limited });
    expect(answer.headers.get('x-service-error-code')).toBe('PLAN_LIMIT_REACHED');
  });

  test('that is a list of web addresses needs no header', async () => {
    const list = 'https://example.com/a,b\r\n\r\nhttp://example.com/c\r\njavascript:alert(1)\r\n';
    const { rows, invalid } = await dryRun(list);
    expect(rows?.map(({ row, uid, body: { data, dataType } }) => [row, uid, data, dataType])).toEqual([
      [1, '1', 'https://example.com/a,b', 'url'],
      [3, '3', 'http://example.com/c', 'url'],
    ]);
    expect(invalid).toMatchObject([{ row: 4, column: 'destination' }]);
  });

  test('may be a workbook', async () => {
    const file = await writeXlsx([
      {
        name: 'S',
        rows: [
          ['destination', 'name'],
          [destination, 'One'],
        ],
      },
    ]);
    expect(await bodiesOf(file)).toEqual([{ dataType: 'url', data: destination, name: 'One' }]);
  });

  test('runs once with an idempotency key', async () => {
    const headers = { 'waymark-idempotency-key': 'once' };
    const first = await report(sheet({ destination }), { headers }, 202);
    expect(await report(sheet({ destination }), { headers }, 202)).toEqual(first);
    expect((await send(sheet({ destination: `${destination}2` }), { headers })).status).toBe(422);
  });

  test.each([
    [
      'with 501 rows',
      `destination\n${'https://example.com/\n'.repeat(501)}`,
      'file must have at most 500 rows below its header; it has more: split it',
    ],
    ['with 501 addresses', 'https://example.com/\n'.repeat(501), 'file must have at most 500 rows'],
    ['without a row', 'name,destination\n', 'file has no rows below its header'],
    ['that is empty', '', 'file is empty'],
    [
      'of addresses without a scheme',
      'www.example.com/1\nwww.example.com/2\n',
      "file has no header, and its addresses must begin with https:// or http://; given: 'www.example.com/1'",
    ],
    [
      'with a title above its header',
      'Codes of spring\n\nname;destination\nMenu;https://example.com/\n',
      'file has its header in row 3: remove the rows above it',
    ],
    [
      'with two columns that may be the destination',
      'URL,Website\nhttps://example.com/1,https://example.com/2\n',
      "file has two columns for destination: 'URL' and 'Website'",
    ],
    ['that is a PDF', '%PDF-1.7', 'file is a PDF document'],
    [
      'with columns and no header',
      'https://example.com/1,One\nhttps://example.com/2,Two\n',
      'file has several columns and no header',
    ],
    [
      'without a column for the content',
      'title,colour\na,b\n',
      'file must have a column destination in its first row',
    ],
    [
      'with a misspelt column',
      'destination,pasword\nhttps://example.com,secret\n',
      "'pasword': did you mean password?",
    ],
    [
      'with a column twice',
      'destination,Name,NAME\nhttps://example.com,a,b\n',
      'file has two columns for name',
    ],
  ])('%s is refused', async (_, file, message) => {
    expect(await refusalOf(file)).toEqual([422, expect.stringContaining(message)]);
  });

  test.each([
    ['blank', sheetXml('')],
    ['without the parts of a sheet', '<row><c><v>1</v></c></row>'.repeat(1_000)],
  ])('a workbook whose sheet is %s is not reported as having no rows', async (_, content) => {
    expect(await refusalOf(workbookOf({ content }))).toEqual([
      422,
      'file has no rows that can be read: its first visible sheet is blank, or damaged',
    ]);
  });

  test('accepts columns in any order and case, and names unknown ones', async () => {
    const { rows, warnings } = await dryRun(
      csv(['Remarks', ' DESTINATION ', '', 'max scans', ''], ['x', destination, 'y', '5', '']),
    );
    expect(rows?.[0]?.body).toEqual({ dataType: 'url', data: destination, maxScans: 5 });
    expect(warnings).toEqual([
      { message: "Columns that are not known are ignored: 'Remarks'" },
      { message: 'Columns without a name are ignored: C' },
    ]);
  });

  const cut = (place: string, remedy = 'put the address in quotes') => [
    { row: 2, message: `The row has more cells than the header (column ${place}); ${remedy}` },
  ];

  test.each([
    ['name;destination\nB;https://example.com/x;jsessionid=1?y\n', "C: 'jsessionid=1?y'"],
    [
      'name,destination\nBerlin,https://www.google.com/maps/@52.5,13.4,17z\nB,https://example.com\n',
      "C: '13.4'",
    ],
    // As Excel writes it: with the same number of cells in each row.
    ['name;;destination;\nB;;https://example.com/x;jsessionid=1?y\n', "D: 'jsessionid=1?y'"],
  ])('does not cut an address at a delimiter: %j', async (file, place) => {
    const { invalid, rows } = await dryRun(file);
    expect(invalid).toEqual(cut(place));
    expect(rows?.filter(({ row }) => row === 2)).toEqual([]);
  });

  test.each([
    ['Title,URL', "The column 'Title' is taken as name", "The column 'URL' is taken as destination"],
    ['name,Link', "The column 'Link' is taken as destination"],
    ['label,Website', "The column 'label' is taken as name", "The column 'Website' is taken as destination"],
  ])('with the header %s is understood, and says how', async (header, ...said) => {
    const { rows, warnings, source } = await dryRun(`${header}\nMenu,${destination}\n`);
    expect(rows?.[0]?.body).toEqual({ dataType: 'url', data: destination, name: 'Menu' });
    expect({ source, warnings }).toEqual({ warnings: said.map((message) => ({ message })) });
  });

  test.each([
    ['name;destination\nB;"https://example.com/;x"\nC\nD;https://example.com/d;;;\nE\n', 2],
    ['name;destination\nMenu, left;https://example.com/,a\nOffer, right;https://example.com/b;\nC\n', 2],
  ])('uses the delimiter of its header, whatever its rows contain: %j', async (file, count) => {
    const { rows, invalid } = await dryRun(file);
    expect(rows).toHaveLength(count);
    expect(invalid.every(({ message }) => message.startsWith('destination is required'))).toBe(true);
  });

  test('of a workbook names a cell beyond the header', async () => {
    const rows = [
      ['destination', ''],
      [destination, 'seen'],
    ];
    const { invalid } = await dryRun(await writeXlsx([{ name: 'S', rows }]));
    expect(invalid).toEqual(cut("B: 'seen'", 'name that column, or empty the cell'));
  });

  test('may have empty cells beyond its header', async () => {
    expect(await bodiesOf(`destination,name\n${destination},A,,\n`)).toHaveLength(1);
  });
});

test('the metrics count spreadsheets by the outcome of their reading', async () => {
  const endsOf = async (how: string): Promise<number> => {
    const { body } = await plane.internal('GET', '/metrics');
    return Number(
      new RegExp(`^waymark_spreadsheets_total{how="${how}"} (\\d+)`, 'm').exec(String(body))?.[1],
    );
  };
  const [read, refused] = [await endsOf('read'), await endsOf('refused')];
  await send(sheet({ destination: 'javascript:x' }));
  await send('%PDF-1.7');
  expect([await endsOf('read'), await endsOf('refused')]).toEqual([read + 1, refused + 1]);
});

describe('a row', () => {
  test('has an externalId and notes, whose faults name their columns', async () => {
    const own = { externalId: 'table 7', notes: 'by the door\nask Anna' };
    expect(await bodiesOf(sheet({ destination, ...own }))).toEqual([
      { dataType: 'url', data: destination, ...own },
    ]);
    const { invalid } = await dryRun(sheet({ destination, externalId: 'a\u200bb', notes: 'x'.repeat(5001) }));
    expect(invalid.map(({ column }) => column).sort()).toEqual(['externalId', 'notes']);
    for (const { column, message } of invalid) expect(message).toMatch(new RegExp(`^${column} must have`));
  });

  const wifi = { dataType: 'WiFi', wifiSsid: 'Guests' };
  test.each([
    [{ destination }, { dataType: 'url', data: destination }],
    [
      { dataType: 'text', destination: 'Hello' },
      { dataType: 'text', data: 'Hello' },
    ],
    [
      { dataType: 'phone', destination: '+49 30 1234' },
      { dataType: 'phone', data: '+49 30 1234' },
    ],
    [
      { dataType: 'geo', destination: '52.5,13.4' },
      { dataType: 'geo', data: '52.5,13.4' },
    ],
    [wifi, { dataType: 'wifi', data: { ssid: 'Guests', encryption: 'nopass' } }],
    [
      { ...wifi, wifiPassword: 'welcome!', wifiEncryption: 'wpa' },
      { dataType: 'wifi', data: { ssid: 'Guests', password: 'welcome!', encryption: 'WPA' } },
    ],
    [
      { dataType: 'email', emailTo: 'a@example.com', emailSubject: 'Hi', emailBody: 'x\ny' },
      { dataType: 'email', data: { to: 'a@example.com', subject: 'Hi', body: 'x\ny' } },
    ],
    [
      { dataType: 'sms', smsPhone: '+4930', smsMessage: 'Hi' },
      { dataType: 'sms', data: { phone: '+4930', message: 'Hi' } },
    ],
    [
      { dataType: 'vcard', vcardFirstName: 'Anna', vcardWebsite: 'https://example.com' },
      { dataType: 'vcard', data: { firstName: 'Anna', website: 'https://example.com' } },
    ],
    [
      { destination, password: 'open sesame' },
      { dataType: 'url', data: destination, secure: ['password'], password: '***' },
    ],
    [
      { destination, maxScans: '7' },
      { dataType: 'url', data: destination, maxScans: 7 },
    ],
    [
      { destination, expiresAt: '2090-01-31' },
      { dataType: 'url', data: destination, expiresAt: '2090-01-31T00:00:00.000Z' },
    ],
    [
      { destination, expiresAt: '2090-01-31 0:00:00' },
      { dataType: 'url', data: destination, expiresAt: '2090-01-31T00:00:00.000Z' },
    ],
    [
      { destination, expiresAt: '2090-01-31 12:30' },
      { dataType: 'url', data: destination, expiresAt: '2090-01-31T12:30:00.000Z' },
    ],
  ])('%j is made as %j', async (cells, body) => {
    expect(await bodiesOf(sheet(cells as Record<string, string>))).toEqual([body]);
  });

  test.each([
    [{ destination: '', name: 'x' }, 'destination', 'destination is required for the dataType url'],
    [{ destination: '', wifiSsid: 'Guests' }, 'destination', 'wifiSsid is filled: is the dataType wifi?'],
    [{ dataType: 'gs1', destination }, 'dataType', 'dataType must be one of url, text, email'],
    [{ destination: 'javascript:alert(1)' }, 'destination', 'destination must'],
    [{ destination, name: 'x'.repeat(121) }, 'name', 'name must have at most 120 characters; given: 121'],
    [{ destination, preset: 'neon' }, 'preset', 'preset must be one of classic, soft'],
    [
      { destination, preset: 'soft', brandKitId: 'bk_x' },
      'brandKitId',
      'brandKitId must not be given together with preset',
    ],
    [{ destination, brandKitId: 'bk_nothere' }, 'brandKitId', 'is not a brand kit of this workspace'],
    [
      { destination, primaryColor: 'red' },
      'primaryColor',
      "primaryColor must be a colour such as #1a2b3c; given: 'red'",
    ],
    [
      { destination, primaryColor: '0c4a6e' },
      'primaryColor',
      "primaryColor must be a colour such as #1a2b3c; given: '0c4a6e'; did you mean #0c4a6e?",
    ],
    [
      { dataType: 'wifi', destination: 'Guests' },
      'destination',
      'destination must begin with WIFI:, or fill wifiSsid, wifiPassword, wifiEncryption instead',
    ],
    [
      { dataType: 'geo', destination: '52,52; 13,40' },
      'destination',
      'destination cannot be read as the dataType geo: give latitude and longitude such as 52.52,13.405 (decimal points, not commas)',
    ],
    [
      { destination, frameText: 'x'.repeat(25) },
      'frameText',
      'frameText must have at most 24 characters; given: 25',
    ],
    [{ destination, styleJson: '[1]' }, 'styleJson', 'styleJson must be one JSON object'],
    [{ destination, styleJson: '{' }, 'styleJson', 'styleJson is not valid JSON'],
    [{ destination, styleJson: muchJson }, 'styleJson', `styleJson ${muchRefused}`],
    [
      { destination, styleJson: '{"margin":41}' },
      'styleJson',
      'styleJson.margin must be a whole number from 0 to 40; given: 41',
    ],
    [
      { destination, styleJson: '{"dotsOptions":{"color":"red"}}' },
      'styleJson',
      'styleJson.dotsOptions.color must be',
    ],
    [{ destination, expiresAt: '31.01.2090' }, 'expiresAt', 'expiresAt must be an ISO 8601 day or time'],
    [{ destination, expiresAt: '+275760-09-14' }, 'expiresAt', 'expiresAt must be'],
    [{ destination, maxScans: 'many' }, 'maxScans', 'maxScans must be a whole number of scans'],
    [
      { destination, maxScans: '0' },
      'maxScans',
      'maxScans must be a whole number from 1 to 2147483647; given: 0',
    ],
    [{ destination, password: 'abc' }, 'password', 'password must have at least 4 characters'],
    [{ destination, name: '#REF!' }, 'name', 'name holds the error #REF! of a formula'],
    [{ dataType: 'email', emailTo: 'nobody' }, 'emailTo', 'emailTo must be an e-mail address'],
    [
      { dataType: 'wifi', wifiSsid: 'x', wifiEncryption: 'WPA' },
      'wifiPassword',
      'wifiPassword is required unless encryption is nopass',
    ],
    [
      { dataType: 'geo', destination: 'nowhere' },
      'destination',
      'destination cannot be read as the dataType geo',
    ],
  ])('%j is invalid in its %s', async (cells, column, message) => {
    const { invalid, rows } = await dryRun(sheet(cells as Record<string, string>));
    expect(rows).toEqual([]);
    expect(invalid).toEqual([{ row: 2, column, message: expect.stringContaining(message) }]);
  });

  test.each([
    [{ dataType: 'phone', destination: '301234567' }, 'destination'],
    [{ dataType: 'sms', smsPhone: '49301234567' }, 'smsPhone'],
    [{ dataType: 'vcard', vcardFirstName: 'A', vcardPhone: '301234567' }, 'vcardPhone'],
  ])('%j has a warning: its number may have lost its zeros', async (cells, column) => {
    const { warnings } = await dryRun(sheet(cells as Record<string, string>));
    expect(warnings).toEqual([
      { row: 2, message: expect.stringContaining(`${column} begins with neither + nor 0`) },
    ]);
    const kept = Object.fromEntries(
      Object.entries(cells).map(([name, text]) => [name, name === column ? `+${text}` : text]),
    );
    expect((await dryRun(sheet(kept))).warnings).toEqual([]);
  });

  test('reports all its faults at once', async () => {
    const { invalid } = await dryRun(sheet({ destination: '', primaryColor: 'red', maxScans: 'x' }));
    expect(invalid.map(({ column }) => column)).toEqual(['destination', 'primaryColor', 'maxScans']);
  });

  test.each([
    [
      { destination, expiresAt: '2020-01-01', maxScans: 'viele', password: 'abc' },
      ['expiresAt', 'maxScans', 'password'],
    ],
    [
      { destination: '#REF!', preset: 'neon', styleJson: '{', name: 'x'.repeat(121) },
      ['destination', 'preset', 'styleJson', 'name'],
    ],
    [{ dataType: 'geo', destination: 'nowhere', password: 'abc' }, ['password', 'destination']],
  ])('%j gets all its faults reported', async (cells, named) => {
    const { invalid } = await dryRun(sheet(cells as Record<string, string>));
    expect(invalid.map(({ column }) => column)).toEqual(named);
  });
});

describe('the look of a row', () => {
  const style = JSON.stringify({ dotsOptions: { type: 'dots', color: '#111111' }, margin: 2 });
  const lookOf = async (cells: Record<string, string>, fields: Record<string, string> = { style }) => {
    const [{ dataType: _, data: __, ...look } = {}] = await bodiesOf(
      sheet({ destination, ...cells }),
      fields,
    );
    return look;
  };

  test('is the look of the upload', async () => {
    expect(await lookOf({})).toEqual(JSON.parse(style));
  });

  test('is its preset or brand kit in place of the upload’s', async () => {
    expect(await lookOf({ preset: 'ocean' })).toEqual({ preset: 'ocean' });
    const { kitId } = z.object({ kitId: z.string() }).parse(
      (
        await workspace.call('POST', '/api/qr/brand-kits', {
          name: 'House',
          primaryColor: '#0c4a6e',
          backgroundColor: '#ffffff',
          frameId: 'banner',
        })
      ).body,
    );
    expect(await lookOf({ brandKitId: kitId, frameText: 'Hi' })).toEqual({
      brandKitId: kitId,
      frame: { id: 'banner', text: 'Hi' },
    });
  });

  test('has the colours and the caption of its columns on top', async () => {
    expect(await lookOf({ primaryColor: '#222222', backgroundColor: '#eeeeee', frameText: 'Hi' })).toEqual({
      dotsOptions: { type: 'dots', color: '#222222' },
      backgroundOptions: { color: '#eeeeee' },
      frame: { id: 'scanme', text: 'Hi' },
      margin: 2,
    });
    expect(await lookOf({ preset: 'cafe', frameText: 'Hi' })).toEqual({
      preset: 'cafe',
      frame: { id: 'rounded', text: 'Hi' },
    });
  });

  test('is overridden by styleJson', async () => {
    const styleJson = JSON.stringify({ dotsOptions: { color: '#333333' }, margin: 0, shape: 'circle' });
    expect(await lookOf({ primaryColor: '#222222', styleJson })).toEqual({
      dotsOptions: { type: 'dots', color: '#333333' },
      margin: 0,
      shape: 'circle',
    });
  });

  test('ignores keys of styleJson that are not part of a look, with a warning', async () => {
    const styleJson = JSON.stringify({ uid: 'x', data: 'y', password: 'z', margin: 1, returnType: 'pdf' });
    const { rows, warnings } = await dryRun(sheet({ destination, styleJson }));
    expect(rows?.[0]?.body).toEqual({ dataType: 'url', data: destination, margin: 1 });
    expect(warnings).toEqual([
      { row: 2, message: 'styleJson.uid, styleJson.data, styleJson.password is ignored' },
      { row: 2, message: expect.stringContaining('ask for the picture with format=pdf') },
    ]);
  });

  test('gives only the length of a logo in the answer to a dry run, which would repeat it in each row', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!--${'x'.repeat(40_000)}--></svg>`;
    const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
    const file = csv(['destination'], ...Array(50).fill([destination]));
    const answer = await send(file, { fields: { style: JSON.stringify({ image }) }, query: '?dryRun=true' });
    expect(answer).toMatchObject({ status: 200 });
    const { rows = [] } = reportShape.parse(answer.body);
    expect(rows).toHaveLength(50);
    expect(rows[0]?.body).toMatchObject({ image: `an image of ${image.length} characters` });
    expect(JSON.stringify(answer.body).length).toBeLessThan(20_000);
    const url = 'https://example.com/logo.png';
    expect((await bodiesOf(file, { style: JSON.stringify({ image: url }) }))[0]).toMatchObject({
      image: url,
    });
  });

  test.each([
    ['{', 400, 'style is not valid JSON'],
    [muchJson, 400, `style ${muchRefused}`],
    ['{"margin":41}', 422, 'style.margin must be a whole number from 0 to 40'],
    ['{"data":"x"}', 400, 'style.data is not a known field'],
    ['{"preset":"soft","brandKitId":"bk_x"}', 422, 'style.brandKitId must not be given together with preset'],
    ['{"brandKitId":"bk_nothere"}', 422, 'is not a brand kit of this workspace'],
  ])('of the upload %s is refused', async (given, status, message) => {
    expect(await refusalOf(sheet({ destination }), { style: given })).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });
});

describe('an import', () => {
  const exports = {
    bitly: csv(
      ['Link', 'Custom Link', 'Title', 'Destination URL', 'Created', 'Tags'],
      ['https://bit.ly/3xYz', '', 'Menu', destination, '2021-05-01', 'a'],
      ['https://bit.ly/3xYa', 'https://go.example.com/offer', 'Offer', `${destination}2`, '2021-05-02', ''],
      ['https://bit.ly/3xYb', '', 'Bad', 'javascript:alert(1)', '2021-05-03', ''],
    ),
    shlink: csv(
      ['createdAt', 'domain', 'shortCode', 'shortUrl', 'longUrl', 'title', 'tags', 'visits'],
      ['2021-05-01T10:00:00+02:00', 's.test', 'abc', 'https://s.test/abc', destination, 'Menu', 'a|b', '17'],
    ),
    kutt: csv(
      ['address', 'target', 'link', 'description', 'visit_count', 'created_at'],
      ['abc', destination, 'https://kutt.it/abc', 'Menu', '17', '2021-05-01'],
    ),
    yourls: csv(
      ['keyword', 'url', 'title', 'timestamp', 'ip', 'clicks'],
      ['abc', destination, 'Menu', '2021-05-01', '192.0.2.1', '17'],
    ),
  };

  test.each([
    ['bitly', 'https://bit.ly/3xYz'],
    ['shlink', 'https://s.test/abc'],
    ['kutt', 'https://kutt.it/abc'],
    ['yourls', 'abc'],
  ] as const)(
    'of an export of %s is recognised by its columns; the old link names the new code',
    async (source, uid) => {
      const found = await dryRun(exports[source]);
      expect(found.source).toBe(source);
      expect(found.rows?.[0]).toEqual({
        row: 2,
        uid,
        body: {
          dataType: 'url',
          data: destination,
          name: 'Menu',
          ...(source === 'shlink' && { tags: ['a', 'b'] }),
        },
      });
      expect(found.warnings[0]?.message).toMatch(/^Not taken over from the export of/);
    },
  );

  test('lists rows that lead to a forbidden scheme, and prefers a custom link to the other', async () => {
    const { rows, invalid } = await dryRun(exports.bitly);
    expect(rows?.[1]?.uid).toBe('https://go.example.com/offer');
    expect(invalid).toMatchObject([{ row: 4, column: 'Destination URL' }]);
  });

  const kutt = (rows: string[][], more: string[] = []) =>
    csv(
      ['id', 'address', 'banned', 'password', 'target', 'description', 'expire_in', 'link', ...more],
      ...rows,
    );
  const kuttRow = (banned: string, password: string, expires = '') => [
    '7',
    'abc',
    banned,
    password,
    destination,
    'Menu',
    expires,
    'https://kutt.it/abc',
  ];

  test('of Kutt takes no password from the column that only flags one', async () => {
    const { source, rows, invalid, warnings } = await dryRun(
      kutt(
        [
          [...kuttRow('false', 'false', '2090-01-31'), '5'],
          [...kuttRow('false', 'true'), '5'],
          [...kuttRow('true', 'false'), '5'],
        ],
        ['maxScans'],
      ),
    );
    expect(source).toBe('kutt');
    expect(rows?.map(({ body }) => body)).toEqual([{ dataType: 'url', data: destination, name: 'Menu' }]);
    expect(invalid).toEqual([
      {
        row: 3,
        column: 'password',
        message: expect.stringMatching(/^password says that the link asks for a password/),
      },
      { row: 4, column: 'banned', message: expect.stringMatching(/^banned says that the link is banned/) },
    ]);
    expect(warnings).toEqual([
      { message: "Not taken over from the export of Kutt: 'id', 'maxScans'" },
      { row: 2, message: 'expire_in is not taken over: the new code has no end' },
    ]);
  });

  test('of Kutt also takes columns named by mapping, such as passwords', async () => {
    const mapping = JSON.stringify({ secret: 'password', note: 'name' });
    const file = kutt([[...kuttRow('false', 'true'), 'open sesame', 'Mine']], ['secret', 'note']);
    const { rows, invalid } = await dryRun(file, { mapping });
    expect(invalid).toEqual([]);
    expect(rows?.[0]).toMatchObject({
      uid: 'https://kutt.it/abc',
      body: { data: destination, name: 'Mine', secure: ['password'] },
    });
    const blank = kutt([[...kuttRow('false', 'true'), '']], ['secret']);
    const open = [
      [file, '{"note":"name"}'],
      [blank, '{"secret":"password"}'],
    ] as const;
    for (const [sheet, mapping] of open)
      expect((await dryRun(sheet, { mapping })).invalid).toMatchObject([{ row: 2, column: 'password' }]);
  });

  test('may name its source, and refuses another export', async () => {
    const file = csv(['long_url', 'title'], [destination, 'Menu']);
    expect(await bodiesOf(file, { source: 'bitly' })).toEqual([
      { dataType: 'url', data: destination, name: 'Menu' },
    ]);
    expect(await refusalOf(file, { source: 'kutt' })).toEqual([
      422,
      expect.stringContaining('file is not an export of Kutt'),
    ]);
  });

  test('may map its columns', async () => {
    const file = csv(['Web site', 'Label', 'Old', 'preset'], [destination, 'Menu', 'abc', 'soft']);
    const mapping = JSON.stringify({ 'Web site': 'destination', label: 'name', Old: 'oldLink' });
    const { rows } = await dryRun(file, { mapping });
    expect(rows?.[0]).toMatchObject({
      uid: 'abc',
      body: { data: destination, name: 'Menu', preset: 'soft' },
    });
    expect(await refusalOf(file, { mapping: '{"Nowhere":"name"}' })).toEqual([
      422,
      expect.stringContaining("mapping names the column 'Nowhere', which the sheet does not have"),
    ]);
    expect(await refusalOf(file, { mapping: muchJson })).toEqual([400, `mapping ${muchRefused}`]);
    expect(await refusalOf(file, { mapping: '{"Label":"nothing"}' })).toEqual([
      422,
      expect.stringContaining('mapping.Label must be one of'),
    ]);
  });

  test('has faults and warnings in the terms of its sheet', async () => {
    const file = csv(
      ['Ziel', 'Ende', 'Max Scans', 'Netz'],
      ['ftp://example.com', '2020-01-01', 'x', ''],
      [destination, '', '', 'Guests'],
    );
    const mapping = '{"Ziel":"destination","Ende":"expiresAt","Netz":"wifiSsid"}';
    const { invalid, warnings } = await dryRun(file, { mapping });
    expect(invalid).toEqual([
      { row: 2, column: 'Ende', message: "Ende must be in the future; given: '2020-01-01'" },
      { row: 2, column: 'Max Scans', message: "Max Scans must be a whole number of scans; given: 'x'" },
      { row: 2, column: 'Ziel', message: expect.stringMatching(/^Ziel must/) },
    ]);
    expect(warnings).toEqual([{ row: 3, message: 'Netz is not used for the dataType url' }]);
    expect((await dryRun(exports.bitly)).invalid).toMatchObject([
      { row: 4, column: 'Destination URL', message: expect.stringMatching(/^Destination URL must/) },
    ]);
  });

  test('names codes with equal old links by their rows', async () => {
    const file = csv(['keyword', 'url'], ['3', destination], ['3', destination], ['', destination]);
    expect((await dryRun(file)).rows?.map(({ uid }) => uid)).toEqual(['3', 'row 3', '4']);
  });
});

describe('the template', () => {
  test.each(['csv', 'xlsx'])(
    'as %s has all columns, and examples that are valid as they stand',
    async (format) => {
      const { status, headers, body } = await workspace.call(
        'GET',
        `/api/qr/codes/bulk/template?format=${format}`,
      );
      expect(status).toBe(200);
      expect(headers.get('content-disposition')).toBe(`attachment; filename="codes.${format}"`);
      if (format === 'csv') expect(String(body)).toMatch(/[^\r\n]\r\n$/);
      const { sheetRows, rows, invalid, warnings } = await dryRun(body as Buffer);
      expect({ sheetRows, valid: rows?.length, invalid }).toEqual({
        sheetRows: exampleRows.length,
        valid: exampleRows.length,
        invalid: [],
      });
      expect(warnings.filter(({ row }) => row !== undefined)).toEqual([]);
      const used = new Set(exampleRows.flatMap((cells) => Object.keys(cells)));
      expect(columnNames.length).toBe(32);
      expect(used.size).toBeGreaterThan(15);
    },
  );
});
