/** Configuration loaders: modules that fetch a configuration from an external source. */
import { namespace, type Namespace } from '@sluice/registry';

/** A configuration fetched from an external source. */
export interface LoadedConfig {
  readonly body: Buffer;
  /** Name of the configuration adapter. If `null`, the content type determines the adapter. */
  readonly adapter: string | null;
  /** Media type of the body. If `null`, the body is native JSON. */
  readonly contentType: string | null;
}

/** Fetches a configuration. If the request fails, rejects with the reason. The caller then retries. */
export interface ConfigLoader {
  load(signal: AbortSignal): Promise<LoadedConfig>;
}

/**
 * Module namespace of configuration loaders. The `admin` section loads the module in `admin.config.load` and calls it in the control
 * thread.
 */
export const configLoaders: Namespace<ConfigLoader> = namespace<ConfigLoader>('caddy.config_loaders');
