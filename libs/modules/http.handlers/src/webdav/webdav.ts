/** The `webdav` handler: dispatches methods to operations. */
import {
  compileRoot,
  compileText,
  HttpError,
  noRoot,
  type Exchange,
  type HttpHandler,
  type HttpTemplate,
  type Watch,
} from '@sluice/http-app';
import { resolve } from 'node:path';
import { compileHide, type HiddenFor } from '../file_server/hide.ts';
import { copy, move } from './copy-move.ts';
import { lock, unlock } from './locking.ts';
import type { Depth } from './lock-table.ts';
import { Multistatus, respond } from './multistatus.ts';
import { Operation, type WebdavSettings } from './operation.ts';
import { propfind } from './propfind.ts';
import { PropertyStore } from './property-store.ts';
import { proppatch } from './proppatch.ts';
import { Share } from './share.ts';
import { mkcol, notAllowed, put, remove } from './writes.ts';

const harmless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Settings of the handler, and options that are evaluated for each request. */
export interface WebdavParts {
  readonly root: string | null | undefined;
  readonly prefix: string;
  readonly hide: readonly string[];
  readonly properties: string;
  readonly settings: WebdavSettings;
}

/** Handler that serves a directory to WebDAV clients (RFC 4918, compliance classes 1 and 2). */
export class Webdav implements HttpHandler {
  readonly #root: (exchange: Exchange) => string;
  readonly #prefix: HttpTemplate;
  readonly #hidden: HiddenFor;
  readonly #directory: string;
  readonly #settings: WebdavSettings;
  /** Property store of the most recently used root. */
  #store: PropertyStore | null = null;
  #storeRoot = '';

  constructor({ root, prefix, hide, properties, settings }: WebdavParts) {
    this.#root = compileRoot(root);
    this.#prefix = compileText(prefix, 'empty');
    this.#hidden = compileHide(hide);
    this.#directory = properties;
    this.#settings = settings;
  }

  handle(exchange: Exchange): void | Promise<void> {
    return run(this.#operationOf(exchange));
  }

  watched(watch: Watch): HttpHandler {
    const { rehearsal } = watch;
    if (rehearsal === null) return this;
    return {
      handle: (exchange) => {
        const operation = this.#operationOf(exchange);
        if (!harmless.has(exchange.method))
          return rehearsal.stop(exchange, `a ${exchange.method} request changes files or locks of the webdav handler`);
        // Properties include locks, which are available only in the running server.
        const listsLocks = exchange.method === 'GET' && operation.find(operation.path)?.isCollection === true;
        return listsLocks
          ? rehearsal.stop(exchange, 'the directory properties depend on WebDAV locks')
          : run(operation);
      },
    };
  }

  #operationOf(exchange: Exchange): Operation {
    const root = this.#root(exchange);
    if (root === noRoot) throw new HttpError(404, 'a placeholder in the WebDAV root directory has no value');
    const share = new Share(exchange, root, this.#prefix.expand(exchange), this.#hidden(exchange));
    return new Operation(exchange, share, this.#storeOf(share.root), this.#settings);
  }

  #storeOf(root: string): PropertyStore {
    if (this.#store === null || this.#storeRoot !== root) {
      this.#store = new PropertyStore(root, resolve(this.#directory));
      this.#storeRoot = root;
    }
    return this.#store;
  }
}

function run(operation: Operation): void | Promise<void> {
  const { exchange } = operation;
  switch (exchange.method) {
    case 'GET':
    case 'HEAD':
      return get(operation);
    case 'PROPFIND':
      return propfind(operation, depthOf(exchange));
    case 'PUT':
      return put(operation);
    case 'DELETE':
      return remove(operation);
    case 'MKCOL':
      return mkcol(operation);
    case 'COPY':
      return copy(operation);
    case 'MOVE':
      return move(operation);
    case 'PROPPATCH':
      return proppatch(operation);
    case 'LOCK':
      return lock(operation);
    case 'UNLOCK':
      return unlock(operation);
    case 'OPTIONS':
      return options(operation);
    default:
      throw notAllowed(operation, `webdav does not support the method ${exchange.method} for this resource`);
  }
}

/** Responds to a GET request for a collection with its properties, as Caddy's plugin does. */
function get(operation: Operation): void | Promise<void> {
  const { exchange, path, settings } = operation;
  const found = operation.existing();
  if (!found.isCollection) return settings.files.respondWith(exchange, path);
  if (exchange.method === 'GET') return propfind(operation, 1);
  new Multistatus(exchange).end();
}

function options(operation: Operation): void {
  const { headers } = operation.exchange.response;
  headers.set('allow', operation.allowed());
  headers.set('dav', '1, 2');
  // If the `MS-Author-Via` field is missing, Microsoft's clients use FrontPage extensions.
  headers.set('ms-author-via', 'DAV');
  respond(operation.exchange, 200);
}

function depthOf({ headers }: Exchange): Depth {
  const depth = headers.get('depth')?.trim().toLowerCase() ?? 'infinity';
  if (depth === '0') return 0;
  if (depth === '1') return 1;
  if (depth === 'infinity') return 'infinity';
  throw new HttpError(400, 'the Depth header field must be 0, 1 or infinity');
}
