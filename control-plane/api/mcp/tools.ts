/** The tools of this API: what is offered, with what the document says of it. */
import type { Principal } from '../access/authentication.ts';
import { hasPermission, type OperationPermission, permissionOf } from '../access/permissions.ts';
import type { KeyedOperation, Operation } from '../http/operation.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import {
  type Argument,
  argumentsOf,
  idempotencyArgument,
  inputSchemaOf,
  type JsonSchema,
} from './input-schema.ts';
import { type OfferedTool, readingTools, writingTools } from './offered-tools.ts';

export interface Tool {
  name: string;
  isReadOnly: boolean;
  method: KeyedOperation['method'];
  /** `/api/qr/codes/{id}` */
  template: string;
  args: ReadonlyMap<string, Argument>;
  /** What clients see of it. */
  listed: ListedTool;
  permission: OperationPermission | undefined;
  needsAdmin: boolean;
}

export interface ListedTool {
  [key: string]: unknown;
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema & { type: 'object' };
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/** A tool reaches the workspace of its key, and nothing beyond it. */
const hintsOf = (method: KeyedOperation['method'], isReadOnly: boolean) => ({
  readOnlyHint: isReadOnly,
  // What a create makes takes the place of nothing.
  destructiveHint: !isReadOnly && method !== 'post',
  idempotentHint: isReadOnly || method !== 'post',
  openWorldHint: false,
});

/** @throws {Error} if it takes something that its operation does not have */
const takenOf = (
  all: ReadonlyMap<string, Argument>,
  { name: tool, takes, only = {} }: OfferedTool,
): Map<string, Argument> => {
  const missing = [...(takes ?? []), ...Object.keys(only)].find((name) => !all.has(name));
  if (missing !== undefined) throw new Error(`the operation of the tool ${tool} does not take ${missing}`);
  const taken = new Map<string, Argument>();
  for (const [name, argument] of all) {
    const isImplied = argument.place === 'path' || name === idempotencyArgument;
    if (takes && !isImplied && !takes.includes(name)) continue;
    const values = only[name];
    taken.set(name, values ? { ...argument, schema: { ...argument.schema, enum: values } } : argument);
  }
  return taken;
};

const toolOf = (
  { offered, isReadOnly }: { offered: OfferedTool; isReadOnly: boolean },
  operation: KeyedOperation,
  template: string,
  document: OpenApiDocument,
): Tool => {
  const { method, docs, access } = operation;
  const documented = document.paths?.[template]?.[method];
  if (!documented) throw new Error(`the document does not have ${docs.id}`);
  const args = takenOf(argumentsOf(document, documented as Parameters<typeof argumentsOf>[1]), offered);
  const { name, description } = offered;
  return {
    name,
    isReadOnly,
    method,
    template,
    args,
    permission: permissionOf(operation),
    needsAdmin: access === 'admin',
    listed: {
      name,
      title: docs.summary,
      description,
      inputSchema: inputSchemaOf(args) as ListedTool['inputSchema'],
      annotations: hintsOf(method, isReadOnly),
    },
  };
};

/**
 * The offered tools whose operations are served.
 * @throws {Error} if one takes what its operation does not have
 */
export const createTools = (operations: readonly Operation[], document: OpenApiDocument): readonly Tool[] => {
  const byId = new Map(operations.map((operation) => [operation.docs.id, operation]));
  const all = [
    ...readingTools.map((offered) => ({ offered, isReadOnly: true })),
    ...writingTools.map((offered) => ({ offered, isReadOnly: false })),
  ];
  return all.flatMap((each) => {
    const operation = byId.get(each.offered.operation);
    if (!operation || operation.access === 'public') return [];
    return [toolOf(each, operation, operation.path.replaceAll(/:(\w+)/g, '{$1}'), document)];
  });
};

export type Access = 'read' | 'write';

/** The tools that a key may use. The operation still decides about each call. */
export const toolsFor = (tools: readonly Tool[], access: Access, { permissions, role }: Principal): Tool[] =>
  tools.filter(
    ({ isReadOnly, permission, needsAdmin }) =>
      (isReadOnly || access === 'write') &&
      (!needsAdmin || role !== 'member') &&
      (permissions === null ||
        permission === 'any' ||
        (permission !== undefined && hasPermission(permissions, permission))),
  );
