/** Writes elements as a GS1 Digital Link. */
import { identifiers } from '../dictionary/dictionary.ts';
import { type Gs1Element, Gs1Error } from '../gs1-error.ts';
import { checkSegments, keyPath, primaryKeys } from './key-path.ts';
import { attributeQuery, checkAttributes } from './parse.ts';

interface Choice {
  path: Gs1Element[];
  attributes: Gs1Element[];
}

/** With a sequence's qualifiers in the path, and all others in the query, those of predefined length first. */
const choose = (
  key: Gs1Element,
  others: ReadonlyMap<string, Gs1Element>,
  sequence: readonly string[],
): Choice => {
  const path = [key, ...sequence.flatMap((ai) => others.get(ai) ?? [])];
  const rest = [...others.values()].filter((element) => !path.includes(element));
  const isFixed = ({ ai }: Gs1Element) => identifiers.get(ai)!.isFixed === true;
  return { path, attributes: [...rest.filter(isFixed), ...rest.filter((element) => !isFixed(element))] };
};

const checkChoice = ({ path, attributes }: Choice): Gs1Error | undefined => {
  const [key, ...qualifiers] = path;
  return checkSegments(path) ?? checkAttributes(identifiers.get(key!.ai)!, qualifiers, attributes);
};

const noKey = (): Gs1Error =>
  new Gs1Error(
    'no-key',
    { expected: `one of ${primaryKeys.map((ai) => `(${ai})`).join(', ')}` },
    'Cannot create a DL URI without a primary key AI',
  );

/**
 * The first primary key is the key; of its qualifier sequences, the one with the most given elements is used.
 * @param elements of known identifiers, with valid values
 * @param stem the prefix of the path, such as https://id.gs1.org
 * @returns the URI, or why it cannot be built: no key, elements not allowed in a query, or a value not allowed in a
 * path
 */
export const buildDigitalLink = (elements: readonly Gs1Element[], stem: string): string | Gs1Error => {
  const others = new Map(elements.map((element) => [element.ai, element]));
  const keyAi = elements.find(({ ai }) => identifiers.get(ai)?.qualifiers)?.ai;
  if (keyAi === undefined) return noKey();
  const key = others.get(keyAi)!;
  others.delete(keyAi);
  const choices = identifiers
    .get(keyAi)!
    .qualifiers!.map((sequence) => choose(key, others, sequence))
    .sort((a, b) => b.path.length - a.path.length);
  const choice = choices.find((one) => !checkChoice(one)) ?? choices[0]!;
  const [, ...qualifiers] = choice.path;
  return (
    checkChoice(choice) ??
    `${stem.replace(/\/$/, '')}${keyPath(key, qualifiers)}${attributeQuery(choice.attributes)}`
  );
};
