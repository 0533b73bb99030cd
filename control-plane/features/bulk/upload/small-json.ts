/** JSON in a cell or a field of an upload: long texts are allowed, such as a logo, and much structure is not. */
import { ClientError } from '#shared/errors.ts';
import { checkJsonShape } from '../../../api/http/json-shape.ts';

/** A style with everything has some 60 fields; 2 MB of fields whose names all differ take most of a second to parse. */
const partsMax = 2_000;

/**
 * @param refuse gets the fault, which follows the name of the cell or the field
 * @returns the value; what has too much structure is not parsed
 */
export const parseSmall = (text: string, refuse: (what: string, cause: unknown) => never): unknown => {
  try {
    checkJsonShape(Buffer.from(text), { partsMax, fieldsMax: partsMax });
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof ClientError)) return refuse('is not valid JSON', error);
    const [, bound] = /^The body (.+)$/.exec(error.message) ?? [];
    return refuse(bound ?? 'must not have a field that is named __proto__', error);
  }
};
