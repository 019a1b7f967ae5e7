/** Compares the results of random requests with an in-memory model of RFC 4918. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { Shared } from './share.ts';

/** File content by path. `null` marks a collection. */
type Files = Map<string, string | null>;

interface Step {
  readonly method: 'PUT' | 'MKCOL' | 'DELETE' | 'COPY' | 'MOVE';
  readonly from: string;
  readonly to: string;
  readonly overwrites: boolean;
  readonly text: string;
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** Applies a request to the model. Returns the expected status. */
function applied(files: Files, { method, from, to, overwrites, text }: Step): number {
  const hasParent = (path: string): boolean => parentOf(path) === '' || files.get(parentOf(path)) === null;
  const remove = (path: string): void => {
    for (const each of [...files.keys()]) if (isWithin(each, path)) files.delete(each);
  };
  const exists = files.has(from);
  if (method === 'PUT') {
    if (files.get(from) === null) return 405;
    if (!hasParent(from)) return 409;
    files.set(from, text);
    return exists ? 204 : 201;
  }
  if (method === 'MKCOL') {
    if (exists) return 405;
    if (!hasParent(from)) return 409;
    files.set(from, null);
    return 201;
  }
  if (!exists) return 404;
  if (method === 'DELETE') {
    remove(from);
    return 204;
  }
  if (!hasParent(to)) return 409;
  if (isWithin(to, from) || isWithin(from, to)) return 403;
  const replaces = files.has(to);
  if (replaces && !overwrites) return 412;
  const copies = [...files].filter(([path]) => isWithin(path, from));
  remove(to);
  for (const [path, content] of copies) files.set(to + path.slice(from.length), content);
  if (method === 'MOVE') remove(from);
  return replaces ? 204 : 201;
}

/** Returns the files in a directory in the form of the model. */
function onDisk(root: string, at = ''): Files {
  const files: Files = new Map();
  for (const name of readdirSync(root + at)) {
    const path = `${at}/${name}`;
    if (lstatSync(root + path).isDirectory()) {
      files.set(path, null);
      for (const [inner, content] of onDisk(root, path)) files.set(inner, content);
    } else files.set(path, readFileSync(root + path, 'utf8'));
  }
  return files;
}

const sorted = (files: Files): readonly (readonly [string, string | null])[] =>
  [...files].sort(([a], [b]) => (a < b ? -1 : 1));

describe('http.handlers.webdav compared with a model', () => {
  it('webdav returns the same statuses and files as the model after any sequence of requests', async () => {
    const path = fc.constantFrom('/a', '/b', '/a/c', '/a/c/d', '/b/c', '/a/é x');
    const step = fc.record({
      method: fc.constantFrom('PUT', 'MKCOL', 'MKCOL', 'DELETE', 'COPY', 'MOVE'),
      from: path,
      to: path,
      overwrites: fc.boolean(),
      text: fc.string({ maxLength: 5 }),
    }) as fc.Arbitrary<Step>;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const shared = new Shared();
        const files: Files = new Map();
        try {
          for (const each of steps) {
            const expected = applied(files, each);
            const headers = { destination: encodeURI(each.to), overwrite: each.overwrites ? 'T' : 'F' };
            const { method, from, text: body } = each;
            const { status } = await shared.send(method, encodeURI(from), {
              headers,
              ...(method === 'PUT' && { body }),
            });
            expect(status, JSON.stringify(each)).to.equal(expected);
            expect(sorted(onDisk(shared.root))).to.deep.equal(sorted(files));
          }
          expect(existsSync(join(shared.folder, 'properties'))).to.equal(false);
        } finally {
          await shared.close();
        }
      }),
      { numRuns: 60 },
    );
  });
});
