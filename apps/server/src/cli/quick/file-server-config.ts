/** Generates the configuration for `sluice file-server`. */
import type { JsonObject } from '@sluice/base';
import { accessLogOf, bounds, quickDocument, type QuickConfig, type QuickOptions } from './quick-config.ts';

export interface FileServerOptions extends QuickOptions {
  readonly domain?: string;
  readonly root?: string;
  readonly listen?: string;
  readonly browse?: boolean;
  readonly templates?: boolean;
  readonly revealSymlinks?: boolean;
  readonly fileLimit?: number;
  /** False for `--no-compress`. */
  readonly compress?: boolean;
  readonly precompressed?: readonly string[];
}

/** Generates the configuration. A domain name enables HTTPS. */
export function fileServerConfig(options: FileServerOptions): QuickConfig {
  const { domain = '', listen = '' } = options;
  const address = listen === '' ? defaultAddress(domain) : listen;
  const server = {
    listen: [address],
    routes: [{ ...(domain === '' ? {} : { match: [{ host: [domain] }] }), handle: handlersOf(options) }],
    ...bounds,
    ...accessLogOf(options),
  };
  return { document: quickDocument({ static: server }, options), listen: [address], warnings: [] };
}

function defaultAddress(domain: string): string {
  return domain === '' ? ':80' : ':443';
}

function handlersOf({ root = '', compress = true, templates = false, ...files }: FileServerOptions): JsonObject[] {
  const handlers: JsonObject[] = [];
  if (compress) handlers.push({ handler: 'encode', encodings: { zstd: {}, gzip: {} }, prefer: ['zstd', 'gzip'] });
  if (templates) handlers.push({ handler: 'templates', ...(root === '' ? {} : { file_root: root }) });
  handlers.push({
    handler: 'file_server',
    ...(root === '' ? {} : { root }),
    ...browse(files),
    ...precompressed(files),
  });
  return handlers;
}

function browse({ browse: asked = false, fileLimit = 10_000, revealSymlinks = false }: FileServerOptions): JsonObject {
  if (!asked) return {};
  return {
    browse: {
      ...(fileLimit === 0 ? {} : { file_limit: fileLimit }),
      ...(revealSymlinks ? { reveal_symlinks: true } : {}),
    },
  };
}

function precompressed({ precompressed: kinds = [] }: FileServerOptions): JsonObject {
  if (kinds.length === 0) return {};
  return { precompressed: Object.fromEntries(kinds.map((kind) => [kind, {}])), precompressed_order: kinds };
}
