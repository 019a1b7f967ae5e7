/** Test handlers whose responses are encoded, and decoders for their output. */
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { register as encoders } from '@sluice/http.encoders';
import { register } from '@sluice/http.handlers';
import { httpHandlers, type Exchange, type HttpHandler } from '@sluice/http-app';
import { anything, defineModule, mapOptions, type Register } from '@sluice/registry';
import type { JsonObject } from '@sluice/base';
import { request, serve, withRoutes, type TestRequest, type TestResponse, type TestServer } from '@sluice/testing';

export type Script = (exchange: Exchange) => void | Promise<void>;

const scripts = new Map<string, Script>();

const scriptModule = defineModule(httpHandlers, {
  name: 'script',
  help: 'A handler of a test.',
  config: mapOptions('`name`: which one.', anything()),
  provision: (config): HttpHandler => ({
    handle: (exchange) => scripts.get(String(config['name']))?.(exchange),
  }),
});

export const packages: readonly Register[] = [register, encoders, (registry) => void registry.add(scriptModule)];

/** Returns the `encode` handler with the given options. */
export const encode = (options: JsonObject = {}): JsonObject => ({
  handler: 'encode',
  encodings: { gzip: {}, zstd: {}, br: {} },
  ...options,
});

export function scripted(name: string, script: Script): JsonObject {
  scripts.set(name, script);
  return { handler: 'script', name };
}

/** Returns text of the given length that compresses well. */
export const text = (length: number): string => 'All work and no play. '.repeat(length / 22 + 1).slice(0, length);

export function through(handlers: readonly JsonObject[], what: TestRequest): Promise<TestResponse> {
  return request(withRoutes([{ handle: handlers }]), what, { register: packages });
}

export function serveThrough(handlers: readonly JsonObject[], server: JsonObject = {}): Promise<TestServer> {
  return serve(withRoutes([{ handle: handlers }], server), { register: packages });
}

export function decodedBytes({ headers, body }: Pick<TestResponse, 'headers' | 'body'>): Buffer {
  switch (headers.get('content-encoding')) {
    case 'gzip':
      return gunzipSync(body);
    case 'br':
      return brotliDecompressSync(body);
    case 'zstd':
      return zstdDecompressSync(body);
    default:
      return body;
  }
}

export function decoded(response: Pick<TestResponse, 'headers' | 'body'>): string {
  return decodedBytes(response).toString();
}
