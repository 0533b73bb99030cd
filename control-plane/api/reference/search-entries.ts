/**
 * What the search of the reference looks through: sections, operations, and the names of fields. A few hundred titles and
 * names need no index: the page compares them with what is typed, which also finds the middle of a name.
 */
import { type ErrorCode, errorStatus } from '#shared/errors.ts';
import { codeOfBody } from '../http/refusal-body.ts';
import type { Endpoint, Group, Outline, Schema } from './outline.ts';
import { objectsIn, type Schemas } from './schemas.ts';

export interface SearchEntry {
  title: string;
  /** The name of the group. */
  group: string;
  /** Of the page, with the anchor. */
  url: string;
  method?: string;
  path?: string;
  /** Below the anchor: `body.routingRules.condition`. */
  fields?: string[];
}

/** The anchors of all fields inside a value, as fields.ts makes them. */
const fieldsIn = (schema: Schema, id: string, schemas: Schemas): string[] =>
  objectsIn(schema, schemas).flatMap((object, at) =>
    Object.entries(object.schema.properties ?? {}).flatMap(([name, field]) => {
      const own = `${at === 0 ? id : `${id}.${at + 1}`}.${name}`;
      return [own, ...fieldsIn(field, own, schemas)];
    }),
  );

const fieldsOf = ({ docs }: Endpoint, schemas: Schemas): string[] => {
  const { parameters = [], requestBody, responses } = docs;
  const sent = Object.values(requestBody?.content ?? {}).flatMap(({ schema }, at) =>
    schema ? fieldsIn(schema, at === 0 ? 'body' : `body-${at + 1}`, schemas) : [],
  );
  const answered = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, { content = {} }]) =>
      Object.values(content).flatMap(({ schema }) => (schema ? fieldsIn(schema, status, schemas) : [])),
    );
  return [...parameters.map(({ in: place, name }) => `${place}.${name}`), ...sent, ...answered];
};

const entryOf = (endpoint: Endpoint, { slug, name }: Group, schemas: Schemas): SearchEntry => ({
  title: endpoint.docs.summary,
  group: name,
  url: `/docs/${slug}#${endpoint.id}`,
  method: endpoint.isEvent ? 'event' : endpoint.method,
  path: endpoint.path,
  fields: fieldsOf(endpoint, schemas),
});

/** In steps: a step is an operation. */
export function* searchEntries({ sections, groups, schemas }: Outline): Generator<void, SearchEntry[]> {
  const entries: SearchEntry[] = sections.map(({ title, anchor }) => ({
    ...{ title, group: 'Introduction', url: `/docs#${anchor}` },
  }));
  entries.push({ title: 'Codes of errors', group: 'Introduction', url: '/docs/errors' });
  for (const code of Object.keys(errorStatus) as ErrorCode[]) {
    const name = codeOfBody(code);
    entries.push({ title: name, group: 'Codes of errors', url: `/docs/errors#${name}` });
  }
  entries.push({ title: 'Changes', group: 'Introduction', url: '/docs/changelog' });
  for (const group of groups) {
    entries.push({ title: group.name, group: 'Resources', url: `/docs/${group.slug}` });
    for (const endpoint of group.endpoints) {
      entries.push(entryOf(endpoint, group, schemas));
      yield;
    }
  }
  return entries;
}
