/** An operation as a call by curl and by TypeScript, from the examples of the document. */
import { keyMark } from './code.ts';
import type { Endpoint, Media, Parameter } from './outline.ts';

export interface RequestExample {
  /** Empty if the operation has no body, or the document no example of it. */
  summary: string;
  curl: string;
  typescript: string;
}

/** A body as it is sent. */
export interface BodyExample {
  summary: string;
  type: string;
  value: unknown;
  /** Names of fields that hold a file. */
  files: readonly string[];
}

export const exampleOf = ({ schema = {} }: Parameter): string =>
  String(schema.example ?? schema.default ?? schema.enum?.[0] ?? '');

const filesOf = ({ schema }: Media): string[] =>
  Object.entries(schema?.properties ?? {})
    .filter(([, { contentMediaType }]) => contentMediaType !== undefined)
    .map(([name]) => name);

/** The examples of one type of body: JSON, if the operation takes it. */
export const bodyExamplesOf = ({ docs }: Endpoint): BodyExample[] => {
  const content = docs.requestBody?.content ?? {};
  const [type, media] =
    Object.entries(content).find(([, { example, examples }]) => example !== undefined || examples) ??
    Object.entries(content)[0] ??
    [];
  if (type === undefined || !media) return [];
  const { example = {}, examples = { only: { summary: '', value: example } } } = media;
  return Object.values(examples).map(({ summary, value }) => ({
    summary,
    type,
    value,
    files: filesOf(media),
  }));
};

/** The address with examples in place of its parameters. Only those are in the query that a call needs. */
export const urlOf = ({ server, path, docs: { parameters = [] } }: Endpoint): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return (parameter && encodeURIComponent(exampleOf(parameter))) || whole;
  });
  const needed = parameters.filter((each) => each.in === 'query' && each.required);
  const query = new URLSearchParams(needed.map((each): [string, string] => [each.name, exampleOf(each)]));
  return `${server}${filled}${needed.length > 0 ? `?${query}` : ''}`;
};

const endings: Readonly<Record<string, string>> = {
  'image/png': 'picture.png',
  'image/svg+xml': 'picture.svg',
  'text/csv': 'export.csv',
  'application/zip': 'pictures.zip',
  'application/pdf': 'labels.pdf',
};

/** What a success answers. Undefined: nothing. */
const answerTypesOf = ({ docs: { responses } }: Endpoint): string[] => {
  const [, response] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return Object.keys(response?.content ?? {});
};

const redirects = ({ docs: { responses } }: Endpoint): boolean =>
  Object.keys(responses).some((status) => status.startsWith('3') && status !== '304');

/** In single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const curlBody = ({ type, value, files }: BodyExample): string[] => {
  const fields = Object.entries(value as Record<string, unknown>);
  if (type === 'multipart/form-data')
    return fields.map(([name, field]) =>
      files.includes(name)
        ? `-F ${quoted(`${name}=@${fileOf(field)}`)}`
        : `-F ${quoted(`${name}=${textOf(field)}`)}`,
    );
  if (type === 'application/x-www-form-urlencoded')
    return fields.map(([name, field]) => `--data-urlencode ${quoted(`${name}=${textOf(field)}`)}`);
  return [`-H ${quoted(`Content-Type: ${type}`)}`, `-d ${quoted(JSON.stringify(value, null, 2))}`];
};

/** A file for the example of its contents. */
const fileOf = (contents: unknown): string =>
  /^[\w ]+,/.test(textOf(contents)) ? 'codes.csv' : 'picture.png';

const curlOf = (endpoint: Endpoint, body: BodyExample | undefined): string => {
  const { method } = endpoint;
  const [answer = ''] = answerTypesOf(endpoint).filter((type) => type in endings);
  const verb =
    method === 'GET' || (method === 'POST' && body) ? '' : method === 'HEAD' ? '-I ' : `-X ${method} `;
  const parts = [
    `curl ${verb}${redirects(endpoint) && method !== 'HEAD' ? '-i ' : ''}${quoted(urlOf(endpoint))}`,
    ...(endpoint.isKeyed ? [`-H "Authorization: Bearer ${keyMark}"`] : []),
    ...(body ? curlBody(body) : []),
    ...(answer && !answerTypesOf(endpoint).includes('application/json') ? [`-o ${endings[answer]}`] : []),
  ];
  return parts.join(' \\\n  ');
};

/** A value as TypeScript writes it. */
const literal = (value: unknown, indent: string): string => {
  if (typeof value === 'string') {
    const inner = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"');
    return `'${inner.replaceAll("'", "\\'")}'`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const deeper = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((each) => literal(each, deeper))
    : Object.entries(value).map(
        ([name, each]) =>
          `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name, '')}: ${literal(each, deeper)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return lines.length === 0
    ? `${open}${close}`
    : `${open}\n${lines.map((line) => `${deeper}${line},\n`).join('')}${indent}${close}`;
};

interface TypeScriptBody {
  before: string;
  /** The property `body`. */
  line: string;
}

const typescriptBody = ({ type, value, files }: BodyExample): TypeScriptBody => {
  if (type === 'application/x-www-form-urlencoded')
    return { before: '', line: `body: new URLSearchParams(${literal(value, '  ')}),` };
  if (type !== 'multipart/form-data')
    return { before: '', line: `body: JSON.stringify(${literal(value, '  ')}),` };
  const lines = Object.entries(value as Record<string, unknown>).map(([name, field]) => {
    if (!files.includes(name)) return `form.set('${name}', ${literal(textOf(field), '')});`;
    const file = fileOf(field);
    return `form.set('${name}', await openAsBlob('${file}'), '${file}');`;
  });
  const before = `import { openAsBlob } from 'node:fs';\n\nconst form = new FormData();\n${lines.join('\n')}\n\n`;
  return { before, line: 'body: form,' };
};

/** The rest of a program: what it does with the answer. */
const readingOf = (endpoint: Endpoint): string => {
  if (redirects(endpoint)) return `console.log(response.status, response.headers.get('location'));`;
  const types = answerTypesOf(endpoint);
  const refused = 'if (!response.ok) throw new Error((await response.json()).error);';
  if (endpoint.method === 'HEAD') return 'console.log(response.status);';
  if (types.length === 0) return refused;
  if (types.includes('application/json')) return `${refused}\nconst answer = await response.json();`;
  return `${refused}\nconst answer = await response.${types.some((type) => type.startsWith('text/')) ? 'text' : 'blob'}();`;
};

const typescriptOf = (endpoint: Endpoint, body: BodyExample | undefined): string => {
  const { method, isKeyed } = endpoint;
  const sent = body && typescriptBody(body);
  const isJson = body?.type === 'application/json';
  const headers = [
    ...(isKeyed ? [`    Authorization: \`Bearer \${key}\`,`] : []),
    ...(isJson ? [`    'Content-Type': 'application/json',`] : []),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(redirects(endpoint) ? [`  redirect: 'manual',`] : []),
    ...(headers.length > 0 ? [`  headers: {\n${headers.join('\n')}\n  },`] : []),
    ...(sent ? [`  ${sent.line}`] : []),
  ];
  const url = literal(urlOf(endpoint), '');
  const call = options.length > 0 ? `fetch(${url}, {\n${options.join('\n')}\n})` : `fetch(${url})`;
  const key = isKeyed ? `const key = '${keyMark}';\n` : '';
  return `${sent?.before ?? ''}${key}const response = await ${call};\n${readingOf(endpoint)}`;
};

/** One for each example of the body; exactly one without a body. */
export const requestExamplesOf = (endpoint: Endpoint): RequestExample[] => {
  const bodies = bodyExamplesOf(endpoint);
  return (bodies.length > 0 ? bodies : [undefined]).map((body) => ({
    summary: body?.summary ?? '',
    curl: curlOf(endpoint, body),
    typescript: typescriptOf(endpoint, body),
  }));
};
