/** Checks of a page before it is written: the same rules on the event loop and in a thread. */
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
   * Rules about several fields together, checked on the content as it would be stored.
   * @param sent the names of the fields in the request
   * @param contentOf reads the content, which takes a while if it is large
   * @throws {ClientError} UNPROCESSABLE naming a field
   */
  check?(sent: ReadonlySet<string>, contentOf: () => Fields): void;
  /** @returns undefined if the texts are not clearly of one language */
  languageOf(page: { name: string; content: Fields }): Language | undefined;
}

/** A new page, as it is stored. */
export interface NewPage {
  name: string;
  status: HostedPage['status'];
  /** JSON in UTF-8: a thread can transfer it, and it goes unchanged to the database and into the answer. */
  contentBytes: Uint8Array<ArrayBuffer>;
  language: string;
  /** Content fields that are not stored because they are not set. */
  missing: readonly string[];
}

/** A change of a page, as it is stored. */
export interface PageChanges {
  name?: string | undefined;
  status?: HostedPage['status'] | undefined;
  /** JSON in UTF-8: the content fields that are set. */
  setBytes: Uint8Array<ArrayBuffer>;
  /** The content fields that are cleared. */
  cleared: readonly string[];
}

export interface GivenChange extends PageChanges {
  /** The names of all fields in the request. */
  sent: readonly string[];
}

/** Null clears a field; an absent field stays. */
const split = (content: Fields) => {
  const sent = Object.entries(content).filter(([, value]) => value !== undefined);
  return {
    set: Object.fromEntries(sent.filter(([, value]) => value !== null)),
    cleared: sent.filter(([, value]) => value === null).map(([field]) => field),
  };
};

/** The content that a new page stores for fields that are not sent. */
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
 * @param sent the names of the changed fields
 * @returns the language of the page's texts, '' if unclear
 * @throws {ClientError} UNPROCESSABLE if the changed page breaks a rule
 */
export const checkedLanguage = (
  { check, languageOf }: PageRules,
  sent: readonly string[],
  { name, contentText }: ChangedPage,
): string => {
  // Unset fields are null here, and absent in stored content.
  const content: Fields = JSON.parse(contentText);
  check?.(new Set(sent), () => content);
  const set = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));
  return languageOf({ name, content: set }) ?? '';
};
