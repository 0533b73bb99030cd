/** What a vendor's reader found → a link whose parts a code can have. What it cannot have is left out with a warning. */

import { aliasesPerCodeMax, aliasLengthMax } from '#schemas/aliases.ts';
import { codeNameLengthMax } from '#schemas/api/codes.ts';
import { destinationLengthMax } from '#schemas/api/destination.ts';
import { externalId } from '#schemas/api/own-fields.ts';
import { isTagShaped, tagKey, tagLengthMax, tagsPerCodeMax } from '#schemas/api/tags.ts';
import { quoted } from '#shared/quoted.ts';
import { instantOf } from './instants.ts';
import type { Found, Link, LinkRefusal, ShortLink } from './link.ts';

/** Of a link. */
const warningsMax = 20;
/** More are not looked at. */
const tagsReadMax = 200;
/** Normalisation makes one character of at most four, and takes quadratic time: no longer text can be short enough. */
const normalisedMax = (lengthMax: number): number => 4 * lengthMax;

type Warn = (message: string) => void;

/** One line, without control characters, and no half of a character at its end. */
const nameOf = (title: string, warn: Warn): string | null => {
  const line = title
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (line.length <= codeNameLengthMax) return line || null;
  warn(`The title was cut to ${codeNameLengthMax} characters`);
  return line.slice(0, codeNameLengthMax).replace(/[\ud800-\udbff]$/, '');
};

const tagsOf = (given: readonly string[], warn: Warn): string[] => {
  const distinct = new Map<string, string>();
  for (const text of given.slice(0, tagsReadMax)) {
    const isShort = text.length <= normalisedMax(tagLengthMax);
    const tag = isShort ? text.toWellFormed().normalize('NFC').trim() : '';
    if (isTagShaped(tag)) distinct.set(tagKey(tag), distinct.get(tagKey(tag)) ?? tag);
    else
      warn(
        `The tag ${quoted(text)} was left out: a tag has at most ${tagLengthMax} characters, and no comma and no |`,
      );
  }
  const tags = [...distinct.values()];
  if (tags.length > tagsPerCodeMax || given.length > tagsReadMax)
    warn(`A code has at most ${tagsPerCodeMax} tags: further ones were left out`);
  return tags.slice(0, tagsPerCodeMax);
};

const createdAtOf = (text: string, now: Date, warn: Warn): string | null => {
  if (text === '') return null;
  const at = instantOf(text);
  if (at && at.getTime() >= 0 && at <= now) return at.toISOString();
  warn(
    `The date ${quoted(text)} was left out: ${at ? 'it must be after 1970 and in the past' : 'it cannot be read'}`,
  );
  return null;
};

const expiresAtOf = (text: string, now: Date, warn: Warn): string | null => {
  if (text === '') return null;
  const at = instantOf(text);
  if (at && at > now) return at.toISOString();
  warn(`The expiry ${quoted(text)} was left out`);
  return null;
};

const scansOf = (text: string, warn: Warn): number | null => {
  if (text === '') return null;
  const scans = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(scans)) return scans;
  warn(`The count ${quoted(text)} was left out: it must be a whole number`);
  return null;
};

const externalIdOf = (text: string, warn: Warn): string | null => {
  if (text === '') return null;
  if (externalId.safeParse(text).success) return text;
  warn(`The link id ${quoted(text)} was left out: it cannot be an externalId`);
  return null;
};

/** What is too long for an alias stays too long. */
const shortened = ({ slug, host }: ShortLink): ShortLink => ({
  slug: slug.slice(0, normalisedMax(aliasLengthMax) + 1).toWellFormed(),
  host,
});

/** As the check would refuse it, which does not get to see all of it. */
const whyTooLong = ({ length }: string): LinkRefusal | null =>
  length <= destinationLengthMax
    ? null
    : {
        reason: 'destination_too_long',
        code: 'UNPROCESSABLE',
        message: `destination must have at most ${destinationLengthMax} characters; given: ${length}`,
      };

/** @param now when the file is read */
export const toLink = (number: number, found: Found, now: Date): Link => {
  const warnings: string[] = [];
  const warn: Warn = (message) => {
    if (warnings.length < warningsMax) warnings.push(message);
    else warnings[warningsMax - 1] = 'Further parts of the link were left out';
  };
  if (found.shortLinks.length > aliasesPerCodeMax)
    warn(`A code has at most ${aliasesPerCodeMax} aliases: further short links were left out`);
  return {
    number,
    shortLinks: found.shortLinks.slice(0, aliasesPerCodeMax).map(shortened),
    destination: found.destination.slice(0, destinationLengthMax),
    name: nameOf(found.title ?? '', warn),
    tags: tagsOf(found.tags ?? [], warn),
    archived: found.archived ?? false,
    createdAt: createdAtOf(found.createdAt ?? '', now, warn),
    expiresAt: found.refusal ? null : expiresAtOf(found.expiresAt ?? '', now, warn),
    scans: scansOf(found.scans ?? '', warn),
    externalId: externalIdOf(found.externalId ?? '', warn),
    refusal: found.refusal ?? whyTooLong(found.destination),
    twin: null,
    warnings,
  };
};
