/** The WebDAV methods COPY and MOVE (RFC 4918 §9.8 and §9.9). */
import { mkdir } from 'node:fs/promises';
import { fileName } from '@sluice/base';
import { HttpError } from '@sluice/http-app';
import type { Access } from './lock-table.ts';
import type { Operation } from './operation.ts';
import { expectSeparate, moveTo, temporaryNextTo } from './replace.ts';
import type { Found } from './resource.ts';
import { copyContent, copyTree, hasHidden, removeTree, type Walk } from './tree.ts';
import { respondWithFailures, walkOf } from './writes.ts';

/** Copies the resource to its destination. The destination is replaced only after the copy is complete. */
export async function copy(operation: Operation): Promise<void> {
  const { path, properties } = operation;
  const to = destinationOf(operation);
  const isDeep = depthOf(operation, ['0', 'infinity']) === 'infinity';
  await operation.exclusively(destinationAccesses(operation, to), async (done) => {
    const { found, replaced } = await expectTransfer(operation, to);
    const walk = walkOf(operation);
    const temporary = temporaryNextTo(to);
    try {
      if (!found.isCollection) await copyContent(path, temporary);
      else if (isDeep) await copyTree(path, temporary, walk);
      else await mkdir(fileName(temporary));
      await moveTo(temporary, to, !found.isCollection, walk);
    } catch (error) {
      await discard(temporary, walk);
      throw error;
    }
    await properties.copy(path, to, isDeep);
    done.emptied.push(to);
    await respondWithFailures(operation, walk, replaced ? 204 : 201);
  });
}

/** Moves the requested resource to its destination. */
export async function move(operation: Operation): Promise<void> {
  const { path, share, properties } = operation;
  const to = destinationOf(operation);
  if (share.isRoot(path)) throw new HttpError(403, 'cannot move the WebDAV root directory');
  const accesses = [{ path, tree: true }, operation.membership(path), ...destinationAccesses(operation, to)];
  await operation.exclusively(accesses, async (done) => {
    const { found, replaced } = await expectTransfer(operation, to);
    if (found.isCollection) {
      depthOf(operation, ['infinity']);
      await expectNothingHidden(operation, path);
    }
    const walk = walkOf(operation);
    try {
      await moveTo(path, to, !found.isCollection, walk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
      await moveAcross(path, to, found, walk);
    }
    await properties.move(path, to);
    done.removed.push(path);
    done.emptied.push(to);
    await respondWithFailures(operation, walk, replaced ? 204 : 201);
  });
}

/** Moves a resource to another file system by copying and deleting it. */
async function moveAcross(from: string, to: string, found: Found, walk: Walk): Promise<void> {
  const temporary = temporaryNextTo(to);
  try {
    if (found.isCollection) await copyTree(from, temporary, walk);
    else await copyContent(from, temporary);
    // Keep the source if some of its members could not be copied.
    if (walk.failures.length > 0)
      throw new HttpError(
        403,
        'cannot move the collection to another file system: some of its members cannot be copied',
      );
    await moveTo(temporary, to, !found.isCollection, walk);
  } catch (error) {
    await discard(temporary, walk);
    throw error;
  }
  await removeTree(from, walk);
}

/** Removes an incomplete copy, if there is one. */
async function discard(temporary: string, walk: Walk): Promise<void> {
  await removeTree(temporary, { ...walk, hides: () => false, failures: [] });
}

/** Checks that a copy or move is possible. Returns the source resource. */
async function expectTransfer(operation: Operation, to: string): Promise<{ found: Found; replaced: boolean }> {
  const { path, exchange } = operation;
  const found = operation.existing();
  operation.expectPreconditions(found);
  operation.expectParent(to);
  operation.expectNoOtherFile(to);
  const replaced = operation.find(to) !== null;
  await expectSeparate(path, to, replaced);
  if (replaced && exchange.headers.get('overwrite')?.trim().toUpperCase() === 'F')
    throw new HttpError(412, 'the destination already exists, and the Overwrite header field is F');
  if (operation.find(to)?.isCollection === true) await expectNothingHidden(operation, to);
  return { found, replaced };
}

/** Throws if a collection has hidden members. Moving or replacing such a collection would expose or delete its hidden members. */
async function expectNothingHidden({ share, settings }: Operation, path: string): Promise<void> {
  if (settings.hidesAny && (await hasHidden(path, share.hides)))
    throw new HttpError(403, 'the collection contains hidden files, so it cannot be moved or replaced');
}

function destinationOf(operation: Operation): string {
  const { exchange, share } = operation;
  const reference = exchange.headers.get('destination');
  if (reference === undefined)
    throw new HttpError(400, `${exchange.method} requests require a Destination header field`);
  const path = share.referenced(exchange, reference);
  if (share.isRoot(path)) throw new HttpError(403, 'cannot replace the WebDAV root directory');
  return path;
}

function destinationAccesses(operation: Operation, to: string): Access[] {
  const destination = { path: to, tree: true };
  return operation.find(to) === null ? [destination, operation.membership(to)] : [destination];
}

/**
 * Returns the value of the Depth header field. Throws an error with status 400 if the method does not support the value. The default is
 * infinity.
 */
function depthOf({ exchange }: Operation, supported: readonly string[]): string {
  const depth = exchange.headers.get('depth')?.trim().toLowerCase() ?? 'infinity';
  if (!supported.includes(depth))
    throw new HttpError(400, `${exchange.method} requests do not support Depth: ${JSON.stringify(depth)}`);
  return depth;
}
