/** Configuration loaders: modules that get a configuration from somewhere else. */
import { namespace, type Namespace } from '@sluice/registry';

/** What a loader got, as it came. */
export interface LoadedConfig {
  readonly body: Buffer;
  /** Name of the adapter that turns it into native JSON; `null` leaves that to the content type. */
  readonly adapter: string | null;
  /** Media type that it came with, or `null`. Without one it is native JSON. */
  readonly contentType: string | null;
}

/** Gets a configuration. Rejects with an error that says why it can't; the host tries again. */
export interface ConfigLoader {
  load(signal: AbortSignal): Promise<LoadedConfig>;
}

/** The namespace of loaders. The section `admin` hosts one, in `admin.config.load`; it is asked in the control thread. */
export const configLoaders: Namespace<ConfigLoader> = namespace<ConfigLoader>('caddy.config_loaders');
