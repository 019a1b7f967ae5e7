/** A shared directory and a server that serves it over WebDAV. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { silentLogger, type JsonObject } from '@sluice/base';
import { register } from '@sluice/http.handlers';
import type { Token } from '@sluice/registry';
import { serve, withRoutes, type TestRequest, type TestResponse, type TestServer } from '@sluice/testing';
import { ControlBus, threadBusToken } from '@sluice/threads';

/** A temporary directory with files and WebDAV properties. */
export class Shared {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-webdav-')));
  readonly root = join(this.folder, 'root');
  #server: TestServer | null = null;

  constructor(files: Readonly<Record<string, string>> = {}) {
    mkdirSync(this.root);
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  /** Writes a file. If the name ends with a slash, creates a directory. */
  write(name: string, content = ''): void {
    const path = join(this.root, name);
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true });
    if (!name.endsWith('/')) writeFileSync(path, content);
  }

  /** Returns the content of a file, or `null` if the file does not exist. */
  read(name: string): string | null {
    const path = join(this.root, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : null;
  }

  /** Returns the configuration of the `webdav` handler. */
  handler(options: JsonObject = {}): JsonObject {
    return { handler: 'webdav', root: this.root, properties: join(this.folder, 'properties'), ...options };
  }

  async start(options: JsonObject = {}, before: readonly JsonObject[] = []): Promise<TestServer> {
    const services = new Map<Token<unknown>, unknown>([[threadBusToken, new ControlBus(silentLogger)]]);
    const routes = [{ handle: [...before, this.handler(options)] }];
    this.#server = await serve(withRoutes(routes), { register: [register], services });
    return this.#server;
  }

  /** Sends a request. If no server is running, starts one with default options. */
  async send(method: string, path: string, more: Omit<TestRequest, 'method' | 'path'> = {}): Promise<TestResponse> {
    const server = this.#server ?? (await this.start());
    return server.request({ method, path, host: 'dav.example', ...more });
  }

  /** Sends a request and returns the response status. */
  async status(method: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
    return (await this.send(method, path, { headers })).status;
  }

  /** Locks a resource. Returns the lock token. */
  async lock(path: string, headers: Readonly<Record<string, string>> = {}, scope = 'exclusive'): Promise<string> {
    const response = await this.send('LOCK', path, { headers, body: lockInfo(scope) });
    return (response.headers.get('lock-token') ?? `status ${response.status}`).replace(/[<>]/g, '');
  }

  async close(): Promise<void> {
    await this.#server?.close();
    rmSync(this.folder, { recursive: true });
  }
}

/** Returns the body of a LOCK request. */
export function lockInfo(scope = 'exclusive'): string {
  return `<lockinfo xmlns="DAV:"><lockscope><${scope}/></lockscope><locktype><write/></locktype><owner>ada</owner></lockinfo>`;
}

/** Returns the body of a PROPPATCH request. */
export function setting(properties: string, method = 'set'): string {
  return `<d:propertyupdate xmlns:d="DAV:" xmlns:x="urn:x"><d:${method}><d:prop>${properties}</d:prop></d:${method}></d:propertyupdate>`;
}

/** Returns the body of a PROPFIND request for the given properties. */
export function asking(properties: string): string {
  return `<d:propfind xmlns:d="DAV:" xmlns:x="urn:x"><d:prop>${properties}</d:prop></d:propfind>`;
}

/** Returns the URL paths of the resources in a 207 response. */
export function hrefs({ text }: TestResponse): string[] {
  return [...text.matchAll(/<D:response><D:href>([^<]*)<\/D:href>/g)].map(([, href]) => href ?? '');
}
