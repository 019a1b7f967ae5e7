/** The handler `file_server`: from the file system to the client. */
import {
  compileText,
  disk,
  isFolder,
  isPlainFile,
  type Exchange,
  type FileFacts,
  type HttpHandler,
  type HttpTemplate,
  type Next,
  type OpenFile,
} from '@sluice/http-app';
import { joinRoot } from '@sluice/registry';
import { answerFile, fixedStatus } from './answer.ts';
import type { OpenedFile } from './body.ts';
import type { ContentTypeOf } from './content-type.ts';
import { fileError, fromFileSystem } from './file-errors.ts';
import { emptyFile, storeOf, type FileStore } from './file-store.ts';
import { compileHide, type HiddenFor } from './hide.ts';
import { locate, type Located } from './locate.ts';
import type { FileServerOptions } from './options.ts';
import { canonicalTarget, redirect } from './redirect.ts';

const defaultIndexNames = ['index.html', 'index.txt'];
const socketKind = 0o140000;
const kindMask = 0o170000;

/** Serves the files of a folder. */
export class FileServer implements HttpHandler {
  readonly #root: HttpTemplate;
  readonly #hidden: HiddenFor;
  readonly #indexNames: readonly HttpTemplate[];
  readonly #fixedIndexNames: readonly string[] | null;
  readonly #canonical: boolean;
  readonly #status: HttpTemplate | null;
  readonly #passThrough: boolean;
  readonly #typeOf: ContentTypeOf;
  readonly #store: FileStore;

  constructor(config: FileServerOptions, typeOf: ContentTypeOf) {
    this.#root = compileText(config.root ?? '{http.vars.root}', 'empty');
    this.#hidden = compileHide(config.hide ?? []);
    this.#indexNames = (config.index_names ?? defaultIndexNames).map((name) => compileText(name, 'empty'));
    const names = this.#indexNames.map((name) => name.constant);
    this.#fixedIndexNames = names.every((name) => name !== null) ? names : null;
    this.#canonical = config.canonical_uris ?? true;
    const status = String(config.status_code ?? '');
    this.#status = status === '' ? null : compileText(status, 'empty');
    this.#passThrough = config.pass_thru ?? false;
    this.#typeOf = typeOf;
    this.#store = storeOf(disk);
  }

  handle(exchange: Exchange, next: Next): void | Promise<void> {
    const path = joinRoot(this.#root.expand(exchange), exchange.path);
    if (path === null) throw fileError(400);
    const hidden = this.#hidden(exchange);
    const located = locate(disk, path, this.#namesFor(exchange), hidden);
    if (located === null || isFolder(located.facts) || hidden(located.path)) return this.#notFound(exchange, next);
    if (this.#canonical) {
      const target = canonicalTarget(exchange, located.index);
      if (target !== null) return redirect(exchange, target);
    }
    return this.#serve(exchange, located);
  }

  #namesFor(exchange: Exchange): readonly string[] {
    return this.#fixedIndexNames ?? this.#indexNames.map((name) => name.expand(exchange));
  }

  #notFound(exchange: Exchange, next: Next): void | Promise<void> {
    if (this.#passThrough) return next(exchange);
    throw fileError(404);
  }

  #serve(exchange: Exchange, { path, facts }: Located): void | Promise<void> {
    const { headers } = exchange.response;
    headers.append('vary', 'Accept-Encoding');
    const { method } = exchange;
    if (method !== 'GET' && method !== 'HEAD' && exchange.error === null) {
      headers.set('allow', 'GET, HEAD');
      throw fileError(405);
    }
    const source = this.#open(path, facts);
    let pending: void | Promise<void>;
    try {
      if ((headers.get('etag') ?? '') === '') headers.set('etag', source.file.etag);
      if (!headers.has('content-type')) {
        const type = this.#typeOf(path);
        if (type !== null) headers.append('content-type', type);
      }
      pending = answerFile(exchange, source, fixedStatus(this.#status, exchange));
    } catch (error) {
      source.opened?.close();
      throw error;
    }
    if (source.opened === null || pending === undefined) source.opened?.close();
    else return pending.finally(() => source.opened?.close());
    return pending;
  }

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
}

/** Devices are served as empty files. Pipes might wait for ever, and sockets cannot be read. */
function servable(facts: FileFacts): FileFacts {
  const kind = facts.mode & kindMask;
  if (kind === socketKind) throw fileError(400);
  if (kind === 0o010000) throw fileError(404);
  return facts;
}
