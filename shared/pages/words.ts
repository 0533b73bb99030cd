/**
 * The texts that pages show to people, in all languages: one JSON catalogue for each language, with the same keys and
 * the same placeholders. A translator needs to read nothing else.
 *
 * Two rules of their contents: a text about a device that was recognised does not reassure, because a seller's phone may
 * look the same; and a text about allergens never says that a dish is free of one.
 */
import { readFileSync } from 'node:fs';
import { type Language, languages } from '../languages.ts';
import type english from './words/en.json';

export type Words = typeof english;
export type MenuWords = Words['menu'];

/** A full-page message. */
export interface Message {
  title: string;
  lead: string;
}

const read = (language: Language): Words =>
  JSON.parse(readFileSync(new URL(`./words/${language}.json`, import.meta.url), 'utf8'));

/** Read at start. A test holds all catalogues to the keys and placeholders of the English one. */
export const wordsOf = Object.fromEntries(
  languages.map((language) => [language, read(language)]),
) as Readonly<Record<Language, Words>>;
