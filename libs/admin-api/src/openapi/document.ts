/** Generates the OpenAPI description of the admin API. Combines the registered routes with the descriptions that their packages provide. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import type { AdminOperation, AdminOperationResponse, AdminOperations } from '@sluice/registry';
import type { RouteTable } from '../routes/contributed.ts';
import { changeReport } from './shapes.ts';
import { treeOperations } from './tree-operations.ts';

/** A package's routes and their descriptions. */
export interface DescribedRoutes {
  /** Name of the contributing package, for error messages. */
  readonly owner: string;
  readonly routes: RouteTable;
  readonly operations: AdminOperations;
}

const error: JsonObject = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'Path, received value, and how to fix the problem.' },
    warnings: { type: 'array', items: { type: 'object' } },
  },
};

const apiTitle = 'Sluice admin API';
const configurationTag = 'configuration';

const ifNoneMatch: JsonObject = {
  type: 'string',
  description: '`Etag` of an earlier response. If nothing has changed, the response is 304 without a body.',
};

/** Returns the OpenAPI description. Paths are sorted, so the description changes only if the routes change. */
export function openApi(described: readonly DescribedRoutes[], version: string): JsonObject {
  const paths = new Map<string, Record<string, Json>>();
  const add = (method: string, path: string, operation: JsonObject): void => {
    const item = paths.get(path) ?? {};
    item[method.toLowerCase()] = operation;
    paths.set(path, item);
  };
  for (const [key, operation] of Object.entries(treeOperations)) {
    const [method = '', path = ''] = key.split(' ');
    add(method, templateOf(path), operationOf(method, path, operation, configurationTag));
  }
  for (const { owner, routes, operations } of described) {
    for (const [path, methods] of routes) {
      for (const method of methods) {
        const said = operations[`${method} ${path}`] ?? unsaid(owner);
        add(method, templateOf(path), operationOf(method, path, said, owner.replace(/^(?:package|the) /, '')));
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: apiTitle,
      version,
      description:
        'Reads and changes the configuration of a running server, and reports its state. Event streams and responses of 1 KiB or more are ' +
        'compressed if `Accept-Encoding` contains zstd, br or gzip.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{}, { token: [] }],
    paths: Object.fromEntries([...paths].sort(([a], [b]) => (a < b ? -1 : 1))) as JsonObject,
    components: {
      schemas: {
        Error: error,
        Change: changeReport,
        Configuration: {
          type: 'object',
          description: 'Complete configuration. Its schema is large, so it is a separate document.',
          externalDocs: { description: 'JSON Schema of the configuration', url: '/schema' },
        },
      },
      responses: {
        Error: {
          description: 'The request was rejected, or failed.',
          content: { 'application/json': { schema: schemaRef('Error') } },
        },
      },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Token from `admin.tokens`, if any are configured.' },
      },
    },
  };
}

/** Returns only the paths and methods, for clients that check whether a route exists. */
export function openApiOutline(routes: RouteTable, version: string): JsonObject {
  const paths: Record<string, Record<string, Json>> = {};
  const add = (method: string, path: string): void => {
    (paths[templateOf(path)] ??= {})[method.toLowerCase()] = {};
  };
  for (const key of Object.keys(treeOperations)) {
    const [method = '', path = ''] = key.split(' ');
    add(method, path);
  }
  for (const [path, methods] of routes) for (const method of methods) add(method, path);
  return { openapi: '3.1.0', info: { title: apiTitle, version }, paths };
}

function schemaRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** Converts a route pattern to OpenAPI syntax: `/pki/ca/:id` becomes `/pki/ca/{id}`, and `/pki/{*rest}` becomes `/pki/{rest}`. */
function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}').replaceAll('{*', '{');
}

function unsaid(owner: string): AdminOperation {
  return {
    summary: `Contributed by ${owner} without a description.`,
    responses: { '200': { description: 'Done.' } },
  };
}

function operationOf(method: string, path: string, operation: AdminOperation, tag: string): JsonObject {
  const {
    summary,
    description,
    query = {},
    headers = {},
    body,
    bodyIsOptional = false,
    responses,
    path: named = {},
  } = operation;
  const template = templateOf(path);
  const inPath = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(named[name] === undefined ? {} : { description: named[name] }),
    schema: { type: 'string' },
  }));
  // As in Caddy, entity tags of the configuration work only with `If-Match`.
  const isConditional =
    method === 'GET' && tag !== configurationTag && responses['200']?.content?.['application/json'] !== undefined;
  const parameters = [
    ...inPath,
    ...parametersIn('query', query),
    ...parametersIn('header', isConditional ? { ...headers, 'If-None-Match': ifNoneMatch } : headers),
  ];
  return {
    operationId: identifierOf(method, template),
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: !bodyIsOptional, content: contentOf(body) } }),
    responses: {
      ...Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, responseOf(response)])),
      ...(isConditional ? { '304': { description: "The client's copy is up to date." } } : {}),
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

function parametersIn(place: 'query' | 'header', schemas: Readonly<Record<string, JsonObject>>): JsonObject[] {
  return Object.entries(schemas).map(([name, { description = '', ...schema }]) => ({
    name,
    in: place,
    required: false,
    description,
    schema,
  }));
}

function responseOf({ description, content }: AdminOperationResponse): JsonObject {
  return content === undefined ? { description } : { description, content: contentOf(content) };
}

function contentOf(schemas: Readonly<Record<string, JsonObject>>): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([type, schema]) => [type, isObject(schema) ? { schema } : {}]),
  );
}

/** Returns an operation ID, such as `getPkiCaByIdCertificates` for `GET /pki/ca/{id}/certificates`. */
function identifierOf(method: string, template: string): string {
  const words = template.split(/[/_.-]/).filter((word) => word !== '');
  const name = words.map((word) => {
    const plain = word.replaceAll(/[{}]/g, '');
    return `${word.startsWith('{') ? 'By' : ''}${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
  });
  return `${method.toLowerCase()}${name.join('')}${template.endsWith('/') ? 'All' : ''}`;
}
