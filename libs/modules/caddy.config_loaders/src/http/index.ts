/** The module `caddy.config_loaders.http`, which loads a configuration from a URL. */
import {
  boolean,
  defineModule,
  duration,
  headerMap,
  options,
  string,
  strings,
  structure,
  type Context,
  type Options,
} from '@sluice/registry';
import { compileTemplate, parseDuration, resolveGlobal, itemAt } from '@sluice/base';
import {
  configLoaders,
  type ConfigLoader,
  type LoadedConfig,
  serverIdentity,
  type ServerIdentity,
} from '@sluice/contracts';
import { fetchBody, type FetchOptions } from './fetch.ts';
import { readCredentials } from './credentials.ts';

const tlsOptions = options({
  use_server_identity: boolean('Present the certificate of `admin.identity`.', { default: false }),
  client_certificate_file: string('PEM file containing the client certificate.'),
  client_certificate_key_file: string('PEM file containing the private key of the client certificate.'),
  root_ca_pem_files: strings(
    "PEM files containing trusted certificate authorities. Default: the system's authorities.",
  ),
});

const loaderOptions = options({
  method: string('HTTP method of the request.', { default: 'GET' }),
  url: string('URL of the configuration. May contain placeholders, such as `{env.HOST}`.'),
  header: headerMap('Request header fields; values may contain placeholders.'),
  timeout: duration('Timeout for the whole request, including the response body.', { default: '10s' }),
  adapter: string(
    "Configuration adapter for the response. Overrides the adapter that the response's Content-Type selects.",
  ),
  tls: structure('TLS settings: client certificate and trusted certificate authorities.', tlsOptions),
});

/** Default value of `timeout`, in milliseconds. */
const defaultTimeout = 10_000;

/**
 * Loads a configuration over HTTP or HTTPS. A response that is not in Sluice's JSON format is converted by the adapter in the `adapter`
 * option. If this option is not set, the Content-Type determines the adapter. Certificate files and placeholders are read again for every
 * request, so they may change.
 */
export const httpLoader = defineModule(configLoaders, {
  name: 'http',
  help: 'Loads a configuration from a URL.',
  config: loaderOptions,
  provision: (config, context): ConfigLoader => new HttpLoader(config, context),
});

class HttpLoader implements ConfigLoader {
  readonly #options: Options<typeof loaderOptions>;
  readonly #timeout: number;
  readonly #identity: ServerIdentity | null;

  constructor(config: Options<typeof loaderOptions>, context: Context) {
    this.#options = config;
    this.#timeout = timeoutOf(config.timeout ?? null, context);
    if (!config.url) throw context.error('is missing: set the URL of the configuration', 'url');
    checkPair(config.tls ?? {}, context);
    this.#identity = config.tls?.use_server_identity === true ? identityOf(context) : null;
  }

  async load(signal: AbortSignal): Promise<LoadedConfig> {
    const { url, method, header, adapter, tls } = this.#options;
    const request: FetchOptions = {
      url: expand(url ?? ''),
      method: (method ?? '') === '' ? 'GET' : (method as string),
      headers: fieldsOf(header ?? {}),
      timeout: this.#timeout,
      credentials: { ...(await readCredentials(tls ?? {})), ...(await this.#identity?.certificate()) },
    };
    const { body, contentType } = await fetchBody(request, signal);
    return { body, contentType, adapter: (adapter ?? '') === '' ? null : (adapter as string) };
  }
}

function identityOf(context: Context): ServerIdentity {
  const identity = context.find(serverIdentity) ?? null;
  if (identity === null)
    throw context.error('requires an identity: configure admin.identity', 'tls', 'use_server_identity');
  return identity;
}

function timeoutOf(value: number | string | null, context: Context): number {
  if (value === null) return defaultTimeout;
  try {
    const timeout = parseDuration(value);
    return timeout > 0 ? timeout : defaultTimeout;
  } catch (error) {
    throw context.error((error as Error).message, 'timeout');
  }
}

/** Checks that a client certificate is configured together with its key. */
function checkPair(tls: Options<typeof tlsOptions>, context: Context): void {
  if (!tls.client_certificate_file === !tls.client_certificate_key_file) return;
  throw context.error('client_certificate_file and client_certificate_key_file must be set together', 'tls');
}

function expand(text: string): string {
  return compileTemplate<null>(text, resolveGlobal, 'empty').expand(null);
}

function fieldsOf(header: Readonly<Record<string, readonly string[] | null>>): Record<string, string | string[]> {
  const entries = Object.entries(header).map(([name, values]) => [name, (values ?? []).map(expand)] as const);
  // Pass a single value as a string. Some headers allow only one value, and a list would be sent as several lines.
  return Object.fromEntries(entries.map(([name, values]) => [name, values.length === 1 ? itemAt(values, 0) : values]));
}
