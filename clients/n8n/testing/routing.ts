/**
 * What n8n does with a declarative node, as far as ours uses it (RoutingNode in the core of n8n): it
 * collects the parts of a request from the properties that are shown, sends it, page after page if it is paginated, and makes items
 * of the responses.
 */
import type {
  HttpRequest,
  ICredentialType,
  INodeTypeDescription,
  NodeProperty,
  NodePropertyOption,
  NodePropertyRouting,
  PostReceiveAction,
} from '../src/n8n-types.ts';

export interface Item {
  json: unknown;
  binary?: Record<string, Buffer>;
}

type Parameters = Record<string, unknown>;
type Keys = Record<string, unknown>;

const evaluate = (expression: string, keys: Keys): unknown =>
  new Function(...Object.keys(keys), `return (${expression});`)(...Object.values(keys));

const inBraces = /\{\{([\s\S]*?)\}\}(?!\})/g;

/** The value of a text that may be an expression, and of everything in an object or a list. */
const resolve = (value: unknown, keys: Keys): unknown => {
  if (Array.isArray(value)) return value.map((each) => resolve(each, keys));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolve(each, keys)]));
  if (typeof value !== 'string' || !value.startsWith('=')) return value;
  const text = value.slice(1);
  const [first] = [...text.matchAll(inBraces)];
  if (first?.[0] === text) return evaluate(first[1]!, keys);
  return text.replaceAll(inBraces, (_, expression: string) => String(evaluate(expression, keys)));
};

const isShown = ({ displayOptions }: NodeProperty, parameters: Parameters): boolean =>
  Object.entries(displayOptions?.show ?? {}).every(([name, values]) =>
    values.some((value) => value === parameters[name]),
  );

/** The parameters as n8n stores them: every property that is shown has a value, and properties may have the same name. */
const withDefaults = (properties: readonly NodeProperty[], given: Parameters): Parameters => {
  const parameters: Parameters = {};
  // A property is shown by the values of others, which come before it.
  for (const property of properties)
    if (isShown(property, parameters)) parameters[property.name] = given[property.name] ?? property.default;
  const unknown = Object.keys(given).filter((name) => !(name in parameters));
  if (unknown.length > 0) throw new Error(`no property that is shown is named ${unknown.join(', ')}`);
  return parameters;
};

interface Collected {
  options: Required<Pick<HttpRequest, 'headers'>> &
    Omit<HttpRequest, 'qs'> & { qs: Record<string, unknown>; body: Record<string, unknown> };
  paginate: boolean;
  pagination: NonNullable<NodePropertyRouting['operations']>['pagination'] | undefined;
  maxResults: number | undefined;
  postReceive: { action: PostReceiveAction; value: unknown }[];
}

const collect = (into: Collected, routing: NodePropertyRouting | undefined, keys: Keys): void => {
  if (!routing) return;
  const { request, send, output, operations } = routing;
  const { headers, ...options } = (resolve(request, keys) ?? {}) as Partial<Collected['options']>;
  Object.assign(into.options, options);
  Object.assign(into.options.headers, headers);
  if (send?.property !== undefined) {
    const value = send.value === undefined ? keys.$value : resolve(send.value, keys);
    // n8n merges, and a value that is undefined leaves what is there.
    if (value !== undefined) into.options[send.type === 'body' ? 'body' : 'qs'][send.property] = value;
  }
  if (send?.paginate !== undefined) into.paginate ||= Boolean(resolve(send.paginate, keys));
  if (output?.maxResults !== undefined) into.maxResults = Number(resolve(output.maxResults, keys));
  if (operations) into.pagination = operations.pagination;
  for (const action of output?.postReceive ?? []) into.postReceive.push({ action, value: keys.$value });
};

/** An option, or a property within a collection. */
const isProperty = (option: NodePropertyOption | NodeProperty): option is NodeProperty => 'type' in option;

const collectProperty = (into: Collected, property: NodeProperty, value: unknown, keys: Keys): void => {
  collect(into, property.routing, { ...keys, $value: value });
  for (const option of property.options ?? []) {
    if (isProperty(option)) {
      const fields = value as Parameters;
      if (Object.hasOwn(fields, option.name)) collectProperty(into, option, fields[option.name], keys);
    } else if (property.type === 'options' && option.value === value)
      collect(into, option.routing, { ...keys, $value: value });
  }
};

interface FullResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: unknown;
}

const send = async ({
  method = 'GET',
  baseURL = '',
  url = '',
  headers,
  qs,
  body,
  encoding,
}: Collected['options']): Promise<FullResponse> => {
  const address = new URL(baseURL + url);
  for (const [name, value] of Object.entries(qs))
    if (value !== undefined) address.searchParams.append(name, String(value));
  const hasBody = method !== 'GET' && Object.keys(body).length > 0;
  const response = await fetch(address, {
    method,
    headers: { ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: encoding === 'arraybuffer' ? Buffer.from(await response.arrayBuffer()) : await response.json(),
  };
};

const apply = (
  items: Item[],
  { action, value }: Collected['postReceive'][number],
  response: FullResponse,
): Item[] => {
  const keys = { $value: value, $response: response };
  if (action.type === 'limit') return items.slice(0, Number(resolve(action.properties.maxResults, keys)));
  if (action.type === 'rootProperty')
    return items.flatMap(({ json }) => {
      const root = (json as Parameters)[action.properties.property];
      return (Array.isArray(root) ? root : [root]).map((each) => ({ json: each }));
    });
  const name = String(resolve(action.properties.destinationProperty, keys));
  return items.map(() => ({ json: {}, binary: { [name]: response.body as Buffer } }));
};

const itemsOf = (response: FullResponse, { postReceive }: Collected): Item[] => {
  let items: Item[] = [{ json: response.body }];
  for (const each of postReceive) items = apply(items, each, response);
  return items;
};

const sendPages = async (collected: Collected): Promise<Item[]> => {
  const { options, paginate, pagination } = collected;
  if (!paginate || !pagination) return itemsOf(await send(options), collected);
  const items: Item[] = [];
  const keys: Keys = { $request: options, $response: {} };
  do {
    // The page takes the place of whole parts of the request.
    const page = resolve(pagination.properties.request, keys) as Partial<Collected['options']>;
    const response = await send({ ...options, ...page });
    keys.$response = response;
    items.push(...itemsOf(response, collected));
  } while (resolve(pagination.properties.continue, keys));
  return items;
};

/** Runs a node once, for one item. @param given parameters that are not the defaults */
export const runNode = async (
  { requestDefaults, properties }: INodeTypeDescription,
  { authenticate }: ICredentialType,
  $credentials: Record<string, string>,
  given: Parameters,
): Promise<Item[]> => {
  const $parameter = withDefaults(properties, given);
  const keys = { $credentials, $parameter };
  const collected: Collected = {
    options: { headers: {}, qs: {}, body: {} },
    paginate: false,
    pagination: undefined,
    maxResults: undefined,
    postReceive: [],
  };
  collect(collected, { request: requestDefaults }, keys);
  for (const property of properties)
    if (isShown(property, $parameter)) collectProperty(collected, property, $parameter[property.name], keys);
  Object.assign(collected.options.headers, resolve(authenticate.properties.headers, keys));
  const items = await sendPages(collected);
  return collected.maxResults === undefined ? items : items.slice(0, collected.maxResults);
};

/** Sends the request by which n8n tests credentials. @returns the body of the response */
export const testCredentials = async (
  { test, authenticate }: ICredentialType,
  $credentials: Record<string, string>,
): Promise<unknown> => {
  const request = resolve(test.request, { $credentials }) as HttpRequest;
  const headers = resolve(authenticate.properties.headers, { $credentials }) as Record<string, string>;
  return (await send({ ...request, qs: {}, body: {}, headers })).body;
};
