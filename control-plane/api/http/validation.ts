/**
 * Checks a query or a body against its schema. Every failure names its field by its path, such as
 * `buttons[2].destination`, and is either 400, if the shape is wrong (a required field missing, a wrong JSON type, an
 * unknown field), or 422, if the type is right and the value is not acceptable.
 */
import { z } from 'zod';
import { acceptedFields } from '#schemas/api/accepted-fields.ts';
import { ClientError, type ErrorCode, type Fault, type FaultCode } from '#shared/errors.ts';
import { quoted, shortened } from '#shared/quoted.ts';
import { isSealed, isSecret, maybeSecret, secretNames } from './secrets.ts';

const isSecretField = ({ path }: z.core.$ZodIssue, input: unknown): boolean =>
  path.some((name) => secretNames.has(name)) || (path[0] === 'data' && isSealed(input));

/** The message says it all: the value is missing, or must be. */
const saysAll = /^(is required|must not be given(?! twice)|must be given together)/;

const sizeOf = ({ code, message }: z.core.$ZodIssue, value: unknown): number | undefined => {
  const isBound =
    (code === 'too_big' || code === 'too_small') && /(characters?|entry|entries)\b/.test(message);
  return isBound && (typeof value === 'string' || Array.isArray(value)) ? value.length : undefined;
};

/**
 * The client's value as an error message repeats it: shortened, and never a secret.
 * @param value at which the issue is
 * @param input everything that was given
 * @returns `; given: 'abc'`, or nothing if it would not help or would repeat a secret
 */
const givenText = (issue: z.core.$ZodIssue, value: unknown, input: unknown): string => {
  if (value === undefined || saysAll.test(issue.message)) return '';
  const isWhole = typeof value === 'object' && value !== null;
  if (issue.code === 'custom' && isWhole) return '';
  if (isSecretField(issue, input)) return '';
  if (typeof value === 'string' && maybeSecret.test(issue.message)) return '';
  const size = sizeOf(issue, value);
  if (size !== undefined) return `; given: ${size}`;
  return isSecret(value) ? '' : `; given: ${quoted(value)}`;
};

/** More failures than this in one response help no client. */
const failuresMax = 50;
/** `details` repeats fewer of them. */
const detailsMax = 19;

interface Failure {
  status: Extract<ErrorCode, 'INVALID_REQUEST' | 'UNPROCESSABLE'>;
  /** Put into words only if the response names it: a request may have thousands. */
  fault: () => Fault;
}

/**
 * The parsed body.
 * @throws {ClientError} INVALID_REQUEST or UNPROCESSABLE; the message names the first failing field, `details` the next ones, and `faults` all of them
 */
export const validateBody = <Output>(schema: z.ZodType<Output>, body: unknown): Output => {
  const parsed = schema.safeParse(body, { error: inWords });
  if (parsed.success) return parsed.data;
  const failures = failuresIn(parsed.error.issues, body);
  throw toClientError(
    failures[0]?.status ?? 'INVALID_REQUEST',
    failures.map(({ fault }) => fault()),
  );
};

/**
 * The parsed query: every failure is 400, and so is a parameter that is given twice.
 * @param schema absent if the operation has no parameters
 * @param unknown how to treat parameters that the operation does not have
 * @returns undefined if there is no schema
 * @throws {ClientError} INVALID_REQUEST, naming the parameter
 */
export const validateQuery = (
  schema: z.ZodType | undefined,
  query: NodeJS.Dict<string | string[]>,
  unknown: 'refused' | 'ignored',
): unknown => {
  const accepted = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const given = Object.entries(query);
  const known = given.filter(([name]) => accepted.includes(name));
  const faults: Fault[] = [];
  if (unknown === 'refused' && known.length < given.length) {
    const others = given.filter(([name]) => !accepted.includes(name)).slice(0, failuresMax);
    faults.push(...others.map(([name], at) => unknownParameter(name, at === 0 ? accepted : undefined)));
  }
  faults.push(...known.flatMap(([name, value]) => (Array.isArray(value) ? [repeated(name, value)] : [])));
  const single = known.filter(([, value]) => !Array.isArray(value));
  const parsed = schema?.safeParse(Object.fromEntries(single), { error: inWords });
  // A parameter that is given twice is not missing.
  const wrong = parsed?.error ? failuresIn(parsed.error.issues, query).map(({ fault }) => fault()) : [];
  faults.push(...wrong.filter(({ param }) => !faults.some((other) => other.param === param)));
  if (faults.length === 0) return parsed?.data;
  throw toClientError('INVALID_REQUEST', faults.slice(0, failuresMax));
};

const repeated = (name: string, values: readonly string[]): Fault => ({
  param: name,
  code: 'value',
  message: `${name} must be given once; given: ${values.length} times`,
});

/** @param accepted the accepted names; undefined to leave them out: they are named once */
const unknownParameter = (given: string, accepted: readonly string[] | undefined): Fault => {
  const name = shortened(given);
  const instead = accepted?.length ? `accepted are ${accepted.join(', ')}` : 'none is accepted here';
  return {
    param: name,
    code: 'unknown',
    message: `${name} is not a known parameter${accepted ? `; ${instead}` : ''}`,
  };
};

/**
 * At most as many failures as one response names. A wrong shape outranks a wrong value: the value may only be wrong
 * because the shape is.
 */
const failuresIn = (issues: readonly z.core.$ZodIssue[], input: unknown): Failure[] => {
  const wrongShapes: Failure[] = [];
  const wrongValues: Failure[] = [];
  for (const issue of issues) {
    for (const failure of failuresOf(issue, input)) {
      const list = failure.status === 'INVALID_REQUEST' ? wrongShapes : wrongValues;
      if (list.length < failuresMax) list.push(failure);
    }
    if (wrongShapes.length === failuresMax) break;
  }
  return [...wrongShapes, ...wrongValues].slice(0, failuresMax);
};

const toClientError = (status: Failure['status'], faults: readonly Fault[]): ClientError => {
  const [first, ...others] = faults;
  const details = others.slice(0, detailsMax).map(({ message }) => message);
  return new ClientError(status, first?.message ?? 'The request is not valid', {
    faults,
    ...(details.length > 0 && { details }),
  });
};

const failuresOf = (issue: z.core.$ZodIssue, input: unknown): Failure[] => {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, failuresMax).map((key, index) => ({
      status: 'INVALID_REQUEST',
      fault() {
        const param = pathText([...issue.path, key]);
        // The accepted names only once: repeated for each unknown one they would make a long response.
        const message = `${param} is not a known field${index === 0 ? `; ${issue.message}` : ''}`;
        return { param, code: 'unknown', message };
      },
    }));
  }
  if (issue.code === 'invalid_union') {
    // A fault inside the only branch that was meant says more than that no branch fits.
    const [meant, ...others] = issue.errors.filter((branch) => !isWrongType(branch));
    if (meant && others.length === 0) {
      return meant.flatMap((each) => failuresOf({ ...each, path: [...issue.path, ...each.path] }, input));
    }
  }
  const value = valueAt(input, issue.path);
  const fault = (): Fault => {
    const param = pathText(issue.path) || null;
    const message = `${param ?? 'The body'} ${issue.message}${givenText(issue, value, input)}`;
    return { param, code: faultCodeOf(issue, value), message };
  };
  return [{ status: isWrongShape(issue, value) ? 'INVALID_REQUEST' : 'UNPROCESSABLE', fault }];
};

/** What a bound limits, if it is no number. */
const sized: ReadonlySet<string> = new Set(['string', 'array', 'set', 'file', 'map']);

const faultCodeOf = (issue: z.core.$ZodIssue, value: unknown): FaultCode => {
  if (value === undefined) return 'required';
  switch (issue.code) {
    case 'invalid_type':
      // A field that is refused by name.
      return issue.expected === 'never' ? 'unknown' : 'type';
    case 'invalid_value':
      return 'enum';
    case 'invalid_format':
      return 'format';
    case 'too_big':
    case 'too_small':
      return sized.has(issue.origin) ? 'length' : 'range';
    case 'not_multiple_of':
      return 'range';
    case 'invalid_union':
      return issue.errors.every(isWrongType) ? 'type' : 'value';
    default:
      return 'value';
  }
};

const isWrongShape = (issue: z.core.$ZodIssue, value: unknown): boolean => {
  if (value === undefined) return true;
  // A fraction in place of a whole number is still a JSON number.
  if (issue.code === 'invalid_type') return !(issue.expected === 'int' && typeof value === 'number');
  if (issue.code === 'invalid_value') return issue.values.every((each) => typeof each !== typeof value);
  if (issue.code === 'invalid_union') return issue.errors.every(isWrongType);
  return false;
};

/** Whether a union branch fails for the type of the value itself, not for something inside it. */
const isWrongType = (branch: readonly z.core.$ZodIssue[]): boolean =>
  branch.some(({ code, path }) => code === 'invalid_type' && path.length === 0);

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    input,
  );

/** `buttons[2].destination` */
const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    const name = shortened(String(key));
    return text === '' ? name : `${text}.${name}`;
  }, '');

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
  null: 'null',
};

/** The words after the field's path. A schema's own message takes precedence. */
export const inWords = (issue: z.core.$ZodRawIssue): string | undefined => {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return `must ${boundText(issue.origin, 'at most', issue.maximum)}`;
    case 'too_small':
      return `must ${boundText(issue.origin, 'at least', issue.minimum)}`;
    case 'unrecognized_keys':
      return acceptedFields(issue);
    default:
      return 'is not acceptable';
  }
};

const boundText = (origin: string, relation: string, bound: number | bigint): string => {
  if (origin === 'string') return `have ${relation} ${bound} ${bound === 1 ? 'character' : 'characters'}`;
  if (origin === 'array') return `have ${relation} ${bound} ${bound === 1 ? 'entry' : 'entries'}`;
  return `be ${relation} ${bound}`;
};
