/** Creates files in a temporary directory and runs a server that serves them. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { serve, withRoutes, type TestRequest, type TestResponse, type TestServer } from '@sluice/testing';
import { register as caddyFs } from '@sluice/caddy.fs';
import { register as encoders } from '@sluice/http.encoders';
import { register } from '@sluice/http.handlers';
import { register as precompressed } from '@sluice/http.precompressed';
import type { Json, JsonObject } from '@sluice/base';
import type { Register } from '@sluice/registry';

/** Modification time of all files, in seconds since the Unix epoch. */
export const changed = 1_600_000_000;
/** {@link changed} formatted as an HTTP date. */
export const changedDate = 'Sun, 13 Sep 2020 12:26:40 GMT';

/** Module packages that tests with files need. */
export const packages: readonly Register[] = [register, precompressed, encoders, caddyFs];

/** A site of files in a temporary directory. */
export class Site {
  readonly folder: string;
  /** Root directory of the site. The server must not serve files outside it. */
  readonly root: string;

  constructor(files: Readonly<Record<string, string | Buffer>>) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-files-')));
    chmodSync(this.folder, 0o755);
    this.root = join(this.folder, 'w');
    mkdirSync(this.root);
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  /** Writes a file below the root. If the name ends with a slash, creates a directory. */
  write(name: string, content: string | Buffer = ''): void {
    const path = join(this.root, name);
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true });
    if (!name.endsWith('/')) writeFileSync(path, content);
    utimesSync(path, changed, changed);
  }

  /** Runs a server whose root is this site, with additional options. */
  serve(options: JsonObject = {}, server: JsonObject = {}, before: readonly JsonObject[] = []): Promise<TestServer> {
    return serveRoutes([{ handle: [...before, { handler: 'file_server', root: this.root, ...options }] }], server);
  }

  /** Starts a temporary server, sends one request, and stops the server. */
  async get(
    what: TestRequest | string,
    options: JsonObject = {},
    before: readonly JsonObject[] = [],
  ): Promise<TestResponse> {
    const server = await this.serve(options, {}, before);
    try {
      return await server.request(what);
    } finally {
      await server.close();
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function serveRoutes(routes: Json, server: JsonObject = {}, apps: JsonObject = {}): Promise<TestServer> {
  const config = withRoutes(routes, server) as { apps: JsonObject };
  return serve({ ...config, apps: { ...config.apps, ...apps } }, { register: packages });
}

/** Returns the header fields of a response as an object. Repeated fields are joined. */
export function fieldsOf(response: TestResponse): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of response.headers) fields[name] = name in fields ? `${fields[name]}, ${value}` : value;
  return fields;
}
