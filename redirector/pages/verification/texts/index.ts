/** The words of every language. */
import type { Language } from '#shared/languages.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { it } from './it.ts';
import { nl } from './nl.ts';
import { pt } from './pt.ts';
import type { VerificationWords } from './words.ts';

export const wordsOf: Readonly<Record<Language, VerificationWords>> = { en, de, fr, es, it, pt, nl, ar, he };
