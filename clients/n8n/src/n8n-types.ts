/**
 * As much of the types of n8n's declarative nodes as ours use, with the names of n8n-workflow. That package itself is not installed:
 * its latest release builds native modules, for types alone.
 */

type Value = string | number | boolean | string[] | Record<string, never>;

/** A text that begins with `=` is an expression, which n8n evaluates. */
type Expression = string;

export interface HttpRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  baseURL?: Expression;
  url?: Expression;
  headers?: Record<string, Expression>;
  qs?: Record<string, Expression>;
  encoding?: 'arraybuffer';
}

export type PostReceiveAction =
  | { type: 'rootProperty'; properties: { property: string } }
  | { type: 'limit'; properties: { maxResults: Expression } }
  | { type: 'binaryData'; properties: { destinationProperty: Expression } };

export interface NodePropertyRouting {
  request?: HttpRequest;
  send?: {
    type?: 'body' | 'query';
    property?: string;
    value?: Expression;
    paginate?: Expression | boolean;
  };
  output?: { maxResults?: Expression; postReceive?: PostReceiveAction[] };
  operations?: {
    pagination: { type: 'generic'; properties: { continue: Expression; request: HttpRequest } };
  };
}

export interface NodePropertyOption {
  name: string;
  value: string;
  action?: string;
  description?: string;
  routing?: NodePropertyRouting;
}

export interface NodeProperty {
  displayName: string;
  name: string;
  type: 'string' | 'number' | 'boolean' | 'dateTime' | 'json' | 'options' | 'multiOptions' | 'collection';
  default: Value;
  description?: string;
  placeholder?: string;
  required?: boolean;
  noDataExpression?: boolean;
  typeOptions?: { password?: boolean; minValue?: number; maxValue?: number; rows?: number };
  displayOptions?: { show: Record<string, (string | boolean)[]> };
  options?: (NodePropertyOption | NodeProperty)[];
  routing?: NodePropertyRouting;
}

/** The description of a node. */
export interface INodeTypeDescription {
  displayName: string;
  name: string;
  icon: `file:${string}.svg`;
  group: 'transform'[];
  version: number;
  subtitle: Expression;
  description: string;
  defaults: { name: string };
  inputs: 'main'[];
  outputs: 'main'[];
  usableAsTool: true;
  credentials: { name: string; required: boolean }[];
  requestDefaults: HttpRequest;
  properties: NodeProperty[];
}

export interface INodeType {
  description: INodeTypeDescription;
}

export interface ICredentialType {
  name: string;
  displayName: string;
  icon: `file:${string}.svg`;
  documentationUrl: string;
  properties: NodeProperty[];
  authenticate: { type: 'generic'; properties: { headers: Record<string, Expression> } };
  test: { request: HttpRequest };
}
