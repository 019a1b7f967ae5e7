/** OpenAPI descriptions of `/config/…` and `/id/…`. These paths have arbitrary depth, so they are not part of the router. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperation, AdminOperations } from '@sluice/registry';
import {
  anyJson,
  changed,
  changeQuery,
  configuration,
  conflict,
  ifMatch,
  notLoaded,
  precondition,
  rejected,
} from './shapes.ts';

interface Tree {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Noun phrase for the value at the path, for use in descriptions. */
  readonly what: string;
  readonly schema: JsonObject;
}

const deep = 'Keys and indexes, separated by unescaped slashes. Write a slash within a key as `%2F`.';
const identifier = 'The `@id` of an object.';

const trees: readonly Tree[] = [
  { path: '/config/', parameters: {}, what: 'the whole configuration', schema: configuration },
  { path: '/config/:path', parameters: { path: deep }, what: 'a configuration value', schema: anyJson },
  { path: '/id/:id', parameters: { id: identifier }, what: 'the object with an `@id`', schema: anyJson },
  {
    path: '/id/:id/:path',
    parameters: { id: identifier, path: deep },
    what: 'a value in the object with an `@id`',
    schema: anyJson,
  },
];

export const treeOperations: AdminOperations = Object.fromEntries(
  trees.flatMap((tree) => Object.entries(operationsOf(tree)).map(([method, each]) => [`${method} ${tree.path}`, each])),
);

function operationsOf({ parameters: path, what, schema }: Tree): Readonly<Record<string, AdminOperation>> {
  const json = { 'application/json': schema };
  const common = { path, query: changeQuery, headers: { 'If-Match': ifMatch } };
  const responses = { '200': changed, '400': rejected, '409': conflict, '412': precondition, '500': notLoaded };
  return {
    GET: {
      summary: `Reads ${what}`,
      description: 'The response has an `Etag` header field, for use in `If-Match`.',
      path,
      responses: { '200': { description: 'The value.', content: json } },
    },
    POST: {
      summary: `Sets ${what}, or appends to it`,
      description: 'Appends an element to an array; if the path ends with `/...`, appends all elements of the body.',
      ...common,
      body: json,
      responses,
    },
    PUT: { summary: `Creates ${what}, or inserts an element into a list`, ...common, body: json, responses },
    PATCH: {
      summary: `Replaces ${what}, or patches it`,
      ...common,
      body: {
        ...json,
        'application/json-patch+json': { type: 'array', items: { type: 'object' } },
        'application/merge-patch+json': anyJson,
      },
      responses,
    },
    DELETE: { summary: `Removes ${what}`, ...common, responses },
  };
}
