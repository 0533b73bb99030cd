import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markDocumentId, markDocuments, parseDocument, serializeDocument } from './documents.ts';
import { itemMarks, type MarkPage, markOn } from './verification.ts';

/** Of two letters, so that an id is often found across the border of two others. */
const itemId = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 12, maxLength: 12 });

test('an item on a page has its mark, and an item that is not on it has none, whatever the ids are', () => {
  const marked = fc.uniqueArray(fc.tuple(itemId, fc.constantFrom(...itemMarks)), {
    selector: ([id]) => id,
    maxLength: 60,
  });
  fc.assert(
    fc.property(marked, fc.array(itemId, { maxLength: 60 }), (marks, others) => {
      const idsWith = (mark: string) =>
        marks
          .filter(([, each]) => each === mark)
          .map(([id]) => id)
          .join('');
      const page: MarkPage = { id: markDocumentId('batch_1', 'a'), version: 1 };
      for (const mark of itemMarks) if (idsWith(mark) !== '') page[mark] = idsWith(mark);
      const read = parseDocument(markDocuments, serializeDocument(page));
      const byId = new Map(marks);
      for (const id of [...byId.keys(), ...others]) expect(markOn(read, id)).toBe(byId.get(id) ?? null);
    }),
  );
});
