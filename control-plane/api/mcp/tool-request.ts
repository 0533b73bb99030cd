/** From the arguments of a tool to the request of its operation. Values are the operation's to check. */
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { Tool } from './tools.ts';

export interface ToolRequest {
  method: Tool['method'];
  /** With its query. */
  url: string;
  headers: Record<string, string>;
  /** JSON. */
  body: string | undefined;
}

export type Arguments = Readonly<Record<string, unknown>>;

/** @throws {ClientError} INVALID_REQUEST */
const textOf = (name: string, value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(',');
  throw new ClientError('INVALID_REQUEST', `${name} must be a text, a number or true or false`, {
    fault: 'type',
  });
};

/** Dots alone would be another path, and half a character has no percent-encoding. @throws {ClientError} INVALID_REQUEST */
const partOf = (name: string, value: unknown): string => {
  const text = textOf(name, value);
  if (/^\.{0,2}$/.test(text) || !text.isWellFormed())
    throw new ClientError('INVALID_REQUEST', `${name} must be an id`);
  return encodeURIComponent(text);
};

/** @throws {ClientError} INVALID_REQUEST naming the argument */
const checkNames = ({ name: tool, args }: Tool, given: Arguments): void => {
  const unknown = Object.keys(given).find((name) => !args.has(name));
  if (unknown !== undefined)
    throw new ClientError(
      'INVALID_REQUEST',
      `${tool} does not take ${quoted(unknown)}; it takes ${[...args.keys()].join(', ') || 'nothing'}`,
      { fault: 'unknown' },
    );
  for (const [name, { place, schema }] of args) {
    const value = given[name];
    if (value === undefined && place === 'path')
      throw new ClientError('INVALID_REQUEST', `${name} is required`, { fault: 'required' });
    // The operation may take more than the tool offers.
    if (value !== undefined && Array.isArray(schema.enum) && !schema.enum.includes(value))
      throw new ClientError('INVALID_REQUEST', `${name} must be one of ${schema.enum.join(', ')}`, {
        fault: 'enum',
      });
  }
};

/** @throws {ClientError} INVALID_REQUEST naming the argument */
export const requestOf = (tool: Tool, given: Arguments): ToolRequest => {
  checkNames(tool, given);
  let path = tool.template;
  const query = new URLSearchParams();
  const headers: Record<string, string> = { accept: 'application/json, image/*' };
  const body: Record<string, unknown> = {};
  for (const [argument, value] of Object.entries(given)) {
    const { place, name } = tool.args.get(argument)!;
    if (place === 'body') body[name] = value;
    else if (place === 'path') path = path.replace(`{${name}}`, () => partOf(argument, value));
    else if (value === null) continue;
    else if (place === 'query') query.set(name, textOf(argument, value));
    else headers[name] = textOf(argument, value);
  }
  const hasBody = [...tool.args.values()].some(({ place }) => place === 'body');
  if (hasBody) headers['content-type'] = 'application/json';
  return {
    method: tool.method,
    url: query.size > 0 ? `${path}?${query}` : path,
    headers,
    body: hasBody ? JSON.stringify(body) : undefined,
  };
};
