/** Comments, titles of tests and guides are plain English: short sentences, the subject first, `if` for conditions. */
import { expect, test } from 'vitest';
import { allFiles, readSource } from './sources.ts';

/** Turns of phrase that hide the subject or the condition, each with what to write instead. */
const phrases: readonly (readonly [RegExp, instead: string])[] = [
  [/\bwhere (that one|none|nobody|nothing|somebody)\b/i, 'if'],
  [/\bwhere (it|they) (is|are|has|have|does|do|cannot|can) (no|not)\b/i, 'if'],
  [/(?<!there )\b(is|are) none\b/i, 'there is no …'],
  [/\banew\b/i, 'again'],
  [/\b(go|goes|going|gone|went) on with\b/i, 'continue, resume'],
  [/\bfor so long\b/i, 'for this long'],
  [/\bwhoever\b/i, 'the noun'],
  [/\bnobody\b/i, 'no process, no workspace, …'],
  [/\bthose (that|who)\b/i, 'the noun'],
  [/\bwhat (comes|came|fails|costs|waits)\b/i, 'the noun'],
  [/\bsuch (a one|an one|ones?)\b/i, 'it, them'],
  [/\bworked off\b/i, 'processed'],
  [/\b(is|are|was|were) told\b/i, 'learns, is notified'],
];

/** Comments, and titles of tests, with the numbers of their lines. */
const proseOf = (file: string): [line: number, text: string][] => {
  const lines = readSource(file).split('\n');
  if (file.endsWith('.md')) return lines.map((text, at) => [at + 1, text]);
  let isComment = false;
  return lines.flatMap((text, at): [number, string][] => {
    if (/^\s*\/\*/.test(text)) isComment = true;
    const isProse = isComment || /^\s*(\/\/|--) |^\s*(test|describe)\b.*['"`]/.test(text);
    if (/\*\/\s*$/.test(text)) isComment = false;
    return isProse ? [[at + 1, text.trim()]] : [];
  });
};

test('comments, titles and guides have none of the phrases that hide a subject or a condition', () => {
  const files = [...allFiles, 'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].filter(
    (file) => /\.(ts|sql|md)$/.test(file),
  );
  const found = files
    .filter((file) => file !== 'deploy/structure/prose.test.ts')
    .flatMap((file) =>
      proseOf(file).flatMap(([line, text]) =>
        phrases
          .filter(([phrase]) => phrase.test(text))
          .map(
            ([phrase, instead]) => `${file}:${line} '${phrase.exec(text)![0]}' (write: ${instead}): ${text}`,
          ),
      ),
    );
  expect(found).toEqual([]);
});
