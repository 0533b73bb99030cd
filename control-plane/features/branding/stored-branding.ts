/** A branding as it is stored, as the API shows it, and as it is published. */
import type { BrandingBody, BrandingFields } from '#schemas/api/branding.ts';
import { type OwnTextName, ownTextNames, type PublishedBrand } from '#schemas/documents.ts';
import { detectLanguage } from '../hosted/layout/index.ts';

/** Unset fields are absent. */
export type StoredBranding = Omit<PublishedBrand, 'language'>;
export type StoredLogo = NonNullable<StoredBranding['logo']>;

/** The fields that are set: neither null nor absent. */
const setOf = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
    [Name in keyof Fields]?: NonNullable<Fields[Name]>;
  };

const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0;

/** Messages with a text of their own. */
const textsOf = (texts: BrandingBody['texts']): StoredBranding['texts'] => {
  const own = Object.entries(setOf(texts ?? {})).map(([name, message]) => [name, setOf(message)] as const);
  const worded = own.filter(([, message]) => !isEmpty(message));
  return worded.length > 0 ? Object.fromEntries(worded) : undefined;
};

/** @param logo the picture that the one of the body has become */
export const storedOf = (
  { name, accent, background, url, phone, email, texts }: BrandingBody,
  logo: StoredLogo | undefined,
): StoredBranding => setOf({ name, logo, accent, background, url, phone, email, texts: textsOf(texts) });

/** As the API shows it: unset fields are null. */
export const shownOf = ({ logo, texts = {}, ...fields }: StoredBranding): BrandingFields => {
  const messageOf = (name: OwnTextName) => {
    const { title = null, text = null } = texts[name] ?? {};
    return title === null && text === null ? null : { title, text };
  };
  return {
    name: fields.name ?? null,
    logo: logo?.dataUrl ?? null,
    accent: fields.accent ?? null,
    background: fields.background ?? null,
    url: fields.url ?? null,
    phone: fields.phone ?? null,
    email: fields.email ?? null,
    texts: {
      unknown: messageOf('unknown'),
      inactive: messageOf('inactive'),
      expired: messageOf('expired'),
      capped: messageOf('capped'),
      password: messageOf('password'),
    },
  };
};

/**
 * As redirectors show it. The language of the texts is not given. It is detected here, so that no visitor waits for it:
 * that takes up to a few milliseconds.
 */
export const publishedOf = (stored: StoredBranding): PublishedBrand => {
  const messages = ownTextNames.flatMap((name) => stored.texts?.[name] ?? []);
  const language = detectLanguage(messages.flatMap(({ title, text }) => [title, text]));
  return { ...stored, ...(language && { language }) };
};
