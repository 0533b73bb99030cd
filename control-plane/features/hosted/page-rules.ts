/** What is asked of a page before it is written: the same rules on the event loop and in a thread. */
import type { z } from 'zod';
import type { HostedStatus } from '#schemas/api/hosted-fields.ts';
import type { Language } from '#shared/languages.ts';
import type { HostedPage } from './hosted-page.ts';
import type { HostedResource } from './resource.ts';

export type Fields = Readonly<Record<string, unknown>>;
export type CreateBody = Fields & { name: string; status?: HostedStatus | undefined };
export type UpdateBody = Fields & { name?: string | undefined; status?: HostedStatus | undefined };

export interface PageRules {
  resource: HostedResource;
  createBody: z.ZodType<CreateBody>;
  updateBody: z.ZodType<UpdateBody>;
  /**
   * Rules about several fields together, of the content as it would be stored.
   * @param sent the names of the fields that the request has
   * @param contentOf reads it, which takes a while where it is large
   * @throws {ClientError} UNPROCESSABLE naming a field
   */
  check?(sent: ReadonlySet<string>, contentOf: () => Fields): void;
  /** @returns undefined where the texts do not tell */
  languageOf(page: { name: string; content: Fields }): Language | undefined;
}

/** A new page as it is stored. */
export interface NewPage {
  name: string;
  status: HostedPage['status'];
  /** JSON in UTF-8: a thread gives it away, the database and the answer get it as it is. */
  contentBytes: Uint8Array<ArrayBuffer>;
  language: string;
  /** Fields of the content that are not stored, since they are not set. */
  missing: readonly string[];
}

/** A change of a page as it is stored. */
export interface PageChanges {
  name?: string | undefined;
  status?: HostedPage['status'] | undefined;
  /** JSON in UTF-8: fields of the content that get a value. */
  setBytes: Uint8Array<ArrayBuffer>;
  /** Fields of the content that get none. */
  cleared: readonly string[];
}

export interface GivenChange extends PageChanges {
  /** The names of all fields that were sent. */
  sent: readonly string[];
}

/** Null takes a field away; an absent one stays. */
const split = (content: Fields) => {
  const sent = Object.entries(content).filter(([, value]) => value !== undefined);
  return {
    set: Object.fromEntries(sent.filter(([, value]) => value !== null)),
    cleared: sent.filter(([, value]) => value === null).map(([field]) => field),
  };
};

/** What a new page stores of fields that are not sent. */
const emptyContent = ({ unset }: HostedResource): Fields =>
  Object.fromEntries(Object.entries(unset).filter(([, value]) => value !== null));

const encoder = new TextEncoder();

/** @throws {ClientError} UNPROCESSABLE */
export const newPage = (
  { resource, check, languageOf }: PageRules,
  { name, status = 'active', ...sent }: CreateBody,
): NewPage => {
  const content = { ...emptyContent(resource), ...split(sent).set };
  check?.(new Set(Object.keys(sent)), () => content);
  return {
    name,
    status,
    contentBytes: encoder.encode(JSON.stringify(content)),
    language: languageOf({ name, content }) ?? '',
    missing: Object.keys(resource.unset).filter((field) => !(field in content)),
  };
};

export const givenChange = ({ name, status, ...content }: UpdateBody): GivenChange => {
  const { set, cleared } = split(content);
  const all = Object.entries({ name, status, ...content }).filter(([, value]) => value !== undefined);
  return {
    name,
    status,
    setBytes: encoder.encode(JSON.stringify(set)),
    cleared,
    sent: all.map(([field]) => field),
  };
};

/** A page after a change that is not committed yet. */
export interface ChangedPage {
  name: string;
  /** JSON, with every field. */
  contentText: string;
}

/**
 * @param sent the names of the fields that were changed
 * @returns the language of the page's texts, '' where they do not tell
 * @throws {ClientError} UNPROCESSABLE for what the change makes of the page
 */
export const settledLanguage = (
  { check, languageOf }: PageRules,
  sent: readonly string[],
  { name, contentText }: ChangedPage,
): string => {
  // Fields that are not set are null in it, and missing in a content.
  const content: Fields = JSON.parse(contentText);
  check?.(new Set(sent), () => content);
  const set = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));
  return languageOf({ name, content: set }) ?? '';
};
