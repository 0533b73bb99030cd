/**
 * Whether an SVG is a drawing and nothing else. It is read tag by tag against a list of what is allowed; a tag or an attribute that
 * could run, fetch or hide something is refused by name, not taken out: nobody prints a logo that lacks a part.
 */

const allowedElements: ReadonlySet<string> = new Set([
  'svg',
  'g',
  'defs',
  'symbol',
  'use',
  'title',
  'desc',
  'metadata',
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
  'linearGradient',
  'radialGradient',
  'stop',
  'clipPath',
  'mask',
  'pattern',
  'style',
]);

/** Descriptions by editors, which are never drawn; what they hold is not looked at further. */
const described = /<metadata\b[\s\S]*?<\/metadata\s*>/gi;

/** How deep the file's own parts may repeat each other: `use` of `use` multiplies. */
const usesMax = 200;

/** The parts of a document, and whatever is none of them. */
const token =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!DOCTYPE[^[>]*>|<!\[CDATA\[[\s\S]*?\]\]>|<\/?[^<>]*>|[^<]+|</gi;

const attribute = /([^\s=/]+)\s*=\s*("[^"]*"|'[^']*')/g;

/** Character references and escapes of CSS could spell what is searched for in another way. */
const plain = (text: string): string =>
  text
    .replace(/&#x([0-9a-f]+);?/gi, (_, digits: string) =>
      String.fromCodePoint(Number.parseInt(digits, 16) % 0x110000),
    )
    .replace(/&#(\d+);?/g, (_, digits: string) => String.fromCodePoint(Number(digits) % 0x110000))
    .replace(/\s+/g, ' ');

const whyCssRefused = (css: string): string | undefined => {
  const text = plain(css);
  if (/\\/.test(text)) return 'escapes in its styles';
  if (/@import/i.test(text)) return '@import';
  if (/url\(\s*['"]?\s*[^#'"\s]/i.test(text)) return 'url() of something outside it';
  return undefined;
};

const whyAttributeRefused = (name: string, value: string): string | undefined => {
  if (/^on/i.test(name)) return `the script ${name}`;
  if (/^(xlink:)?href$/i.test(name) && !/^\s*#/.test(plain(value)))
    return 'a reference to something outside it';
  if (/^xml:base$/i.test(name)) return 'xml:base';
  // Names of namespaces are addresses that nobody fetches.
  return name.startsWith('xmlns') ? undefined : whyCssRefused(value);
};

const whyTagRefused = (tag: string): string | undefined => {
  const name = /^<\/?([^\s/>]+)/.exec(tag)?.[1] ?? '';
  // Prefixed elements are other vocabularies: editors leave them, nobody draws them.
  if (!allowedElements.has(name) && !/^(sodipodi|inkscape|rdf|cc|dc|sketch|serif):/i.test(name)) {
    return name === 'text'
      ? 'text, whose font is not in it: turn it into outlines'
      : `the element ${name || tag.slice(0, 20)}`;
  }
  for (const [, key, quoted] of tag.matchAll(attribute)) {
    const why = whyAttributeRefused(key!, quoted!.slice(1, -1));
    if (why) return why;
  }
  return undefined;
};

const whyTokenRefused = (part: string): string | undefined => {
  if (part.startsWith('<!--') || part.startsWith('<?xml ') || /^<!DOCTYPE svg/i.test(part)) return undefined;
  if (/^<\?xpacket/.test(part)) return undefined;
  if (part.startsWith('<![CDATA[') || !part.startsWith('<')) return whyCssRefused(part);
  if (/^<[!?]/.test(part)) return 'declarations of its own';
  return whyTagRefused(part);
};

/** What an SVG has that a logo must not have; undefined when it is a drawing and nothing else. */
export const whySvgRefused = (svg: string): string | undefined => {
  if ((svg.match(/<use\b/gi)?.length ?? 0) > usesMax) return `more than ${usesMax} elements use`;
  for (const [part] of svg.replace(described, '').matchAll(token)) {
    const why = whyTokenRefused(part);
    if (why) return why;
  }
  return undefined;
};
