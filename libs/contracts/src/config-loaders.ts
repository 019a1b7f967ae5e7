/** Configuration loaders: modules that fetch a configuration from an external source. */
import { namespace, type Namespace } from '@sluice/registry';

/** A configuration as fetched. */
export interface LoadedConfig {
  readonly body: Buffer;
  /** Name of the adapter to use; `null` means determined by the content type. */
  readonly adapter: string | null;
  /** Media type, or `null`. If null, the body is native JSON. */
  readonly contentType: string | null;
}

/** Fetches a configuration. Rejects with the reason if the request fails; the host retries. */
export interface ConfigLoader {
  load(signal: AbortSignal): Promise<LoadedConfig>;
}

/** Namespace of loaders. The `admin` section hosts a loader in `admin.config.load`, and calls the loader in the control thread. */
export const configLoaders: Namespace<ConfigLoader> = namespace<ConfigLoader>('caddy.config_loaders');
