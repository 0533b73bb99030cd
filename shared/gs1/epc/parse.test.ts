import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Gs1Error } from '../gs1-error.ts';
import { epcBinary } from '../testing/vectors.ts';
import { parseEpcPath } from './parse.ts';

const uriOf = (path: string): string => {
  const link = parseEpcPath(path);
  return link instanceof Gs1Error ? link.fault : link.canonical.replace('https://id.gs1.org', '');
};

test.each(epcBinary)('$id $input', ({ input, valid, path }) => {
  expect(uriOf(input)).toBe(valid ? path : 'not-decodable');
});

/** Annex E of the EPC Tag Data Standard 2.3. */
describe('the standard’s example of', () => {
  test.each([
    ['SGTIN-96', '3066C4409047E140075BCD15', '/01/09506000134352/21/123456789'],
    ['SGTIN-198', '3666C4409047E159B2C2BF100000000000000000000000000000', '/01/09506000134352/21/32a%2Fb'],
    ['SGTIN+', 'F73795211411234538566CB0AFC4', '/01/79521141123453/21/32a%2Fb'],
    ['SGTIN++', 'FD3795211411234538566CB0AFC525065F1876F0D996D800', '/01/79521141123453/21/32a%2Fb'],
    ['DSGTIN+', 'FB342CDE795211411234538566CB0AFC4', '/01/79521141123453/21/32a%2Fb?17=220630'],
    ['SGLN++', 'E9395211411234548566CB0AFC525065F1876F0D996D8000', '/414/9521141123454/254/32a%2Fb'],
    ['GIAI++', 'EE3952114132E83C2BF1494197C61DBC3665B600', '/8004/952114132a%2Fb'],
    ['CPI++', 'E6395211415E87A145BAFB4D19A8C0E64A0CBE30EDE1B32DB000', '/8010/95211415PQ7%2FZ43/8011/12345'],
    ['SSCC-96', '311BA1B300CE0A6A83000000', '/00/095201234567891235'],
    ['SSCC+', 'F90095201234567891235', '/00/095201234567891235'],
    ['SGLN-96', '3276451FD46072000000162E', '/414/9521141123454/254/5678'],
    ['SGLN-195', '3976451FD46072CD9615F8800000000000000000000000000000', '/414/9521141123454/254/32a%2Fb'],
    ['SGLN+', 'F2395211411234548566CB0AFC4', '/414/9521141123454/254/32a%2Fb'],
    ['GRAI-96', '3376451FD40C0E400000162E', '/8003/095211411234545678'],
    ['GRAI-170', '3776451FD40C0E59B2C2BF1000000000000000000000', '/8003/0952114112345432a%2Fb'],
    ['GRAI+', 'F13095211411234548566CB0AFC4', '/8003/0952114112345432a%2Fb'],
    ['GIAI-96', '3476451FD40000000000162E', '/8004/95211415678'],
    ['GIAI-202', '3876451FD59B2C2BF10000000000000000000000000000000000', '/8004/952114132a%2Fb'],
    ['GIAI+', 'FA3952114132E83C2BF10', '/8004/952114132a%2Fb'],
    ['GSRN-96', '2D76451FD4499602D2000000', '/8018/952114112345678906'],
    ['GSRN+', 'F43952114112345678906', '/8018/952114112345678906'],
    ['GSRNP-96', '2E76451FD4499602D2000000', '/8017/952114112345678906'],
    ['GSRNP+', 'F53952114112345678906', '/8017/952114112345678906'],
    ['GDTI-96', '2C76451FD46072000000162E', '/253/95211411234545678'],
    ['GDTI-174', '3E76451FD7039B061438997367D0C18B266D1AB66EE0', '/253/9521141987650ABCDefgh012345678'],
    ['GDTI+', 'F6395211411234540458B8', '/253/95211411234545678'],
    ['CPI-96', '3C76451FD400C0E680003039', '/8010/952114198765/8011/12345'],
    ['CPI-var', '3D76451FD75411DEF6B4CC00000003039000', '/8010/95211415PQ7%2FZ43/8011/12345'],
    ['CPI+', 'F0395211415E87A145BAFB4D19A8C0E4', '/8010/95211415PQ7%2FZ43/8011/12345'],
    ['SGCN-96', '3F76451FD612640000019907', '/255/952114167890904711'],
    ['SGCN+', 'F839521141678909509338', '/255/952114167890904711'],
    ['ITIP-110', '4076451FD40C0E40820000000F54', '/8006/095211411234540102/21/981'],
    [
      'ITIP-212',
      '4176451FD40C0E4082DBDD8B36600000000000000000000000000000',
      '/8006/095211411234540102/21/mw133',
    ],
    ['ITIP+', 'F3309521141123454010266AE27FDF35', '/8006/095211411234540102/21/rif981'],
  ])('%s', (_, hex, uri) => {
    expect(uriOf(`/eh${hex}`)).toBe(uri);
    expect(uriOf(`/eh${hex.toLowerCase()}`)).toBe(uri);
    const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `${hex}0`, 'hex');
    expect(uriOf(`/ex${bytes.toString('base64url')}`)).toBe(uri);
  });
});

describe('not an EPC:', () => {
  test.each([
    ['nothing', '/eh'],
    ['nothing in base64url', '/ex'],
    ['an odd digit', '/ehzz'],
    ['an unknown scheme', '/eh00ff'],
    ['GID-96, which has no GS1 key', '/eh3500E86F8000A9E000000586'],
    ['cut off', '/eh3066C4409047E140075B'],
    ['partition 7', '/eh307EC4409047E140075BCD15'],
    ['a digit above 9', '/ehF737A5211411234538566CB0AFC4'],
    ['a wrong check digit', '/ehF90095201234567891236'],
    ['an encoding that does not exist', '/ehF737952114112345 3E566CB0AFC4'.replace(' ', '')],
    ['longer than a tag', `/eh30${'00'.repeat(2 ** 20)}`],
    ['a path of another kind', '/e/30'],
  ])('%s', (_, path) => {
    expect(parseEpcPath(path)).toBeInstanceOf(Gs1Error);
  });
});

test('any input gives a Digital Link or an error', () => {
  const headers = [...Array(256).keys()];
  fc.assert(
    fc.property(fc.constantFrom(...headers), fc.uint8Array({ maxLength: 64 }), (header, bytes) => {
      const hex = Buffer.from([header, ...bytes]).toString('hex');
      const link = parseEpcPath(`/eh${hex}`);
      if (link instanceof Gs1Error) expect(link.message).not.toBe('');
      else expect(link.levels.length).toBeGreaterThan(0);
    }),
    { numRuns: 2000 },
  );
});
