/** The WebDAV methods PUT, MKCOL and DELETE (RFC 4918 §9.3, §9.6 and §9.7). */
import { mkdir, unlink } from 'node:fs/promises';
import { fileName } from '@sluice/base';
import { HttpError } from '@sluice/http-app';
import { failure, Multistatus, respond } from './multistatus.ts';
import type { Operation } from './operation.ts';
import { moveTo, realPathOf, temporaryNextTo } from './replace.ts';
import { removeTree, type Walk } from './tree.ts';
import { writeBody } from './upload.ts';
import type { Access } from './lock-table.ts';

/** Stores the request body as a file. The file is replaced only after the complete body has arrived. */
export async function put(operation: Operation): Promise<void> {
  const { exchange, path, share, properties } = operation;
  // A server without support for partial PUT must not store a part as the whole resource (RFC 9110 §14.5).
  if (exchange.headers.has('content-range'))
    throw new HttpError(400, 'PUT requests with Content-Range are not supported');
  const before = operation.find(path);
  if (share.isRoot(path) || exchange.path.endsWith('/') || before?.isCollection === true)
    throw notAllowed(operation, 'cannot write to a collection; PUT requires the path of a file');
  operation.expectParent(path);
  operation.expectNoOtherFile(path);
  operation.expectPreconditions(before);
  const accesses = (exists: boolean): Access[] => [
    { path, tree: false },
    ...(exists ? [] : [operation.membership(path)]),
  ];
  // Check the locks before receiving the body, and again afterwards.
  if (!(await operation.isPermitted(accesses(before !== null)))) return;
  const file = before === null ? path : await realPathOf(path);
  const temporary = temporaryNextTo(file);
  const upload = await operation.withFileErrors(writeBody(exchange.body, temporary, before?.mode ?? 0));
  let isStored = false;
  try {
    await operation.exclusively(accesses(before !== null), async () => {
      const found = operation.find(path);
      operation.expectPreconditions(found);
      if (found?.isCollection === true)
        throw notAllowed(operation, 'cannot write to a collection; PUT requires the path of a file');
      await moveTo(upload.path, file, true, walkOf(operation));
      isStored = true;
      if (found === null) await properties.remove(path);
      exchange.response.headers.set('etag', upload.etag);
      respond(exchange, found === null ? 201 : 204);
    });
  } finally {
    if (!isStored) await unlink(fileName(upload.path)).catch(() => undefined);
  }
}

export async function mkcol(operation: Operation): Promise<void> {
  const { exchange, path, share, properties } = operation;
  if (exchange.body.length !== 0) {
    const body = await exchange.body.bytes(0).catch(() => null);
    if (body === null || body.length > 0) throw new HttpError(415, 'MKCOL requests with a body are not supported');
  }
  const accesses = [{ path, tree: false }, operation.membership(path)];
  await operation.exclusively(accesses, async () => {
    if (share.isRoot(path) || operation.find(path) !== null) throw notAllowed(operation, 'the resource already exists');
    operation.expectParent(path);
    await mkdir(fileName(path));
    await properties.remove(path);
    respond(exchange, 201);
  });
}

export async function remove(operation: Operation): Promise<void> {
  const { exchange, path, share, properties } = operation;
  const depth = exchange.headers.get('depth');
  const accesses = [{ path, tree: true }, operation.membership(path)];
  if (share.isRoot(path)) throw new HttpError(403, 'cannot delete the WebDAV root directory');
  await operation.exclusively(accesses, async (done) => {
    const found = operation.existing();
    if (found.isCollection && depth !== undefined && depth.toLowerCase() !== 'infinity')
      throw new HttpError(400, 'a DELETE request for a collection requires Depth: infinity');
    operation.expectPreconditions(found);
    const walk = walkOf(operation);
    const isRemoved = await removeTree(path, walk);
    if (isRemoved) {
      await properties.remove(path);
      done.removed.push(path);
    }
    await respondWithFailures(operation, walk, 204);
  });
}

/** Returns the rules for a recursive operation on a directory tree. */
export function walkOf({ share, exchange }: Operation): Walk {
  return { hides: share.hides, failures: [], isGone: () => exchange.response.gone };
}

/** Responds with the members on which an operation failed, or with a status if there were no failures. */
export async function respondWithFailures(operation: Operation, { failures }: Walk, status: number): Promise<void> {
  const [only] = failures;
  if (only === undefined) return respond(operation.exchange, status);
  if (failures.length === 1 && only.path === operation.path)
    throw new HttpError(only.status, 'the file system rejected the operation');
  const response = new Multistatus(operation.exchange);
  for (const { path, status: failed } of failures) await response.add(failure(operation.href(path), failed));
  response.end();
}

/** Returns an error with status 405 and sets the Allow field. */
export function notAllowed(operation: Operation, message: string): HttpError {
  operation.exchange.response.headers.set('allow', operation.allowed());
  return new HttpError(405, message);
}
