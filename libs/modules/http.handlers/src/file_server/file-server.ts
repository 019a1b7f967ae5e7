/** The `file_server` handler, which maps request paths to files. */
import {
  compileRoot,
  compileText,
  disk,
  isFolder,
  isPlainFile,
  type Exchange,
  type FileFacts,
  type FileSystem,
  type FileSystemsApp,
  type HttpHandler,
  type HttpTemplate,
  noRoot,
  type Next,
  type OpenFile,
} from '@sluice/http-app';
import { joinRoot, type Logger } from '@sluice/base';
import { respondWithFile, fixedStatus } from './file-response.ts';
import type { OpenedFile } from './body.ts';
import type { Browse } from './browse/browse.ts';
import type { ContentTypeOf } from './content-type.ts';
import { fileError, fromFileSystem } from './file-errors.ts';
import { emptyFile, storeOf, type StoredFile } from './file-store.ts';
import { compileHide, type Hidden, type HiddenFor } from './hide.ts';
import { locate, represent, withEtag, type Located, type Representation } from './locate.ts';
import { diskLookup, isImmediate, withFindings } from './lookup.ts';
import type { FileServerOptions } from './options.ts';
import type { Precompressed } from './precompressed.ts';
import { canonicalTarget, redirect } from './redirect.ts';

const defaultIndexNames = ['index.html', 'index.txt'];
const kindMask = 0o170000;
const socketKind = 0o140000;
const pipeKind = 0o010000;

export interface FileServerParts {
  readonly typeOf: ContentTypeOf;
  readonly precompressed: Precompressed;
  /** Directory listing, or `null` if listings are disabled. */
  readonly browse: Browse | null;
  /** Configured file systems, or `null` if only the local disk is used. */
  readonly fileSystems: FileSystemsApp | null;
  readonly log: Logger;
}

/** Handler that serves the files in a directory. */
export class FileServer implements HttpHandler {
  readonly #parts: FileServerParts;
  readonly #fileSystem: HttpTemplate;
  readonly #root: (exchange: Exchange) => string;
  readonly #hidden: HiddenFor;
  readonly #indexNames: readonly HttpTemplate[];
  /** Names of index files, or null if they depend on the request. */
  readonly #fixedIndexNames: readonly string[] | null;
  readonly #canonical: boolean;
  readonly #status: HttpTemplate | null;
  readonly #passThrough: boolean;
  readonly #etagExtensions: readonly string[];
  readonly #store = storeOf(disk);

  constructor(config: FileServerOptions, parts: FileServerParts) {
    this.#parts = parts;
    this.#fileSystem = compileText(config.fs ?? '', 'empty');
    this.#root = compileRoot(config.root);
    this.#hidden = compileHide(config.hide ?? []);
    this.#indexNames = (config.index_names ?? defaultIndexNames).map((name) => compileText(name, 'empty'));
    const names = this.#indexNames.map((name) => name.constant);
    this.#fixedIndexNames = names.every((name) => name !== null) ? names : null;
    this.#canonical = config.canonical_uris ?? true;
    const status = String(config.status_code ?? '');
    this.#status = status === '' ? null : compileText(status, 'empty');
    this.#passThrough = config.pass_thru ?? false;
    this.#etagExtensions = config.etag_file_extensions ?? [];
  }

  handle(exchange: Exchange, next: Next): void | Promise<void> {
    const fileSystem = this.#fileSystemFor(exchange);
    const root = this.#root(exchange);
    if (root === noRoot) return this.#notFound(exchange, next);
    const path = joinRoot(root, exchange.path);
    if (path === null) throw fileError(400);
    const hidden = this.#hidden(exchange);
    const names = this.#fixedIndexNames ?? this.#indexNames.map((name) => name.expand(exchange));
    if (isImmediate(fileSystem)) {
      const located = locate(diskLookup, path, names, hidden);
      if (located === null || !this.#isServed(located, hidden)) return this.#notFound(exchange, next);
      return this.#found(exchange, fileSystem, hidden, located);
    }
    return withFindings(fileSystem, (lookup) => locate(lookup, path, names, hidden)).then((located) =>
      located === null || !this.#isServed(located, hidden)
        ? this.#notFound(exchange, next)
        : this.#found(exchange, fileSystem, hidden, located),
    );
  }

  /** Responds to a GET or HEAD request with a file that another handler has selected. */
  respondWith(exchange: Exchange, path: string): void | Promise<void> {
    const facts = disk.stat(path);
    if (facts === null) throw fileError(404);
    return this.#send(exchange, path, { path, facts, coding: null, etag: null }, this.#open(path, facts));
  }

  #fileSystemFor(exchange: Exchange): FileSystem {
    const name = this.#fileSystem.constant ?? this.#fileSystem.expand(exchange);
    if (name === '') return disk;
    const found = this.#parts.fileSystems === null ? undefined : this.#parts.fileSystems.find(name);
    if (found !== undefined) return found;
    if (name === 'default') return disk;
    this.#parts.log.error('unknown file system', { name });
    throw fileError(404);
  }

  /** Reports whether clients may access a path: either a file that is not hidden, or a directory whose listing is enabled. */
  #isServed(located: Located, hidden: Hidden): boolean {
    return !hidden(located.path) && (this.#parts.browse !== null || !isFolder(located.facts));
  }

  #found(exchange: Exchange, fileSystem: FileSystem, hidden: Hidden, located: Located): void | Promise<void> {
    const folder = isFolder(located.facts);
    const { browse } = this.#parts;
    // Listings contain relative links, so the URL of a directory must end with a slash, regardless of the configuration.
    if (this.#canonical || folder) {
      const target = canonicalTarget(exchange, folder || located.index);
      if (target !== null) return redirect(exchange, target);
    }
    if (folder && browse !== null) return browse.respond(exchange, fileSystem, located, hidden);
    return this.#serve(exchange, fileSystem, hidden, located);
  }

  #notFound(exchange: Exchange, next: Next): void | Promise<void> {
    if (this.#passThrough) return next(exchange);
    throw fileError(404);
  }

  #serve(exchange: Exchange, fileSystem: FileSystem, hidden: Hidden, located: Located): void | Promise<void> {
    const { headers } = exchange.response;
    headers.append('vary', 'Accept-Encoding');
    const { method } = exchange;
    if (method !== 'GET' && method !== 'HEAD' && exchange.error === null) {
      headers.set('allow', 'GET, HEAD');
      throw fileError(405);
    }
    const accepted = this.#parts.precompressed.acceptedBy(exchange);
    const extensions = this.#etagExtensions;
    if (isImmediate(fileSystem)) {
      const chosen = withEtag(diskLookup, represent(diskLookup, located, accepted, hidden), extensions);
      return this.#send(exchange, located.path, chosen, this.#open(chosen.path, chosen.facts));
    }
    return this.#serveLater(exchange, fileSystem, hidden, located);
  }

  async #serveLater(exchange: Exchange, fileSystem: FileSystem, hidden: Hidden, located: Located): Promise<void> {
    const accepted = this.#parts.precompressed.acceptedBy(exchange);
    const chosen = await withFindings(fileSystem, (lookup) =>
      withEtag(lookup, represent(lookup, located, accepted, hidden), this.#etagExtensions),
    );
    const store = storeOf(fileSystem);
    let opened: OpenFile;
    try {
      opened = await fileSystem.open(chosen.path);
    } catch (error) {
      throw fromFileSystem(error);
    }
    await this.#send(exchange, located.path, chosen, { file: store.describe(chosen.path, opened), opened, store });
  }

  /** Returns a file from the cache, or opens it. */
  #open(path: string, facts: FileFacts): OpenedFile {
    const store = this.#store;
    const known = store.find(path, facts);
    if (known !== null && known.content !== null) return { file: known, opened: null, store };
    if (!isPlainFile(facts)) return { file: emptyFile(path, servable(facts)), opened: null, store };
    let opened: OpenFile;
    try {
      opened = disk.open(path);
    } catch (error) {
      throw fromFileSystem(error);
    }
    try {
      const file = store.load(path, opened);
      if (file.content === null) return { file, opened, store };
      opened.close();
      return { file, opened: null, store };
    } catch (error) {
      opened.close();
      throw fromFileSystem(error);
    }
  }

  /** Returns the content type based on the requested name, because a precompressed file has a different extension. */
  #typeOf(namedPath: string, file: StoredFile): string {
    if (file.path !== namedPath) return this.#parts.typeOf(namedPath) ?? '';
    return (file.contentType ??= this.#parts.typeOf(namedPath) ?? '');
  }

  /** Sends a file in response to a request, and closes the file. */
  #send(
    exchange: Exchange,
    namedPath: string,
    { coding, etag }: Representation,
    source: OpenedFile,
  ): void | Promise<void> {
    const { headers } = exchange.response;
    let pending: void | Promise<void>;
    try {
      if (coding !== null) headers.set('content-encoding', coding);
      if ((headers.get('etag') ?? '') === '') headers.set('etag', etag ?? source.file.etag);
      // Leave an unknown content type empty. This prevents detection of the type from the content.
      if (!headers.has('content-type')) headers.append('content-type', this.#typeOf(namedPath, source.file));
      pending = respondWithFile(exchange, source, fixedStatus(this.#status, exchange));
    } catch (error) {
      source.opened?.close();
      throw error;
    }
    if (source.opened === null) return pending;
    if (pending !== undefined) return pending.finally(() => source.opened?.close());
    source.opened.close();
  }
}

/**
 * Returns the metadata with which a file is served. Devices are served as empty files, because they have no regular content. Pipes might
 * block, and sockets can't be read.
 */
function servable(facts: FileFacts): FileFacts {
  const kind = facts.mode & kindMask;
  if (kind === socketKind) throw fileError(400);
  if (kind === pipeKind) throw fileError(404);
  return facts;
}
