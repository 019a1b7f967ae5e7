/** Options of the admin server and of its routes. */
import type { Logger } from '@sluice/base';
import type { Reconciler } from '@sluice/reconciler';
import type { Metrics } from '@sluice/telemetry';
import type { ReadPageFile } from './dashboard/page-files.ts';
import type { AdminEndpoint } from './endpoint/endpoint.ts';

export interface AdminServerOptions {
  readonly reconciler: Reconciler;
  /** The endpoint of the API; the same object as the service `adminEndpoint` of the reconciler's runtime. */
  readonly endpoint: AdminEndpoint;
  /** Where other machines reach it; the service `remoteEndpoint`. */
  readonly remote?: AdminEndpoint;
  readonly log: Logger;
  readonly version: string;
  /** Where requests are counted; nowhere without it. */
  readonly metrics?: Metrics;
  /** Ends the process gracefully. Called once, after the response to `POST /stop`. */
  readonly onStop: () => void;
  /** Starts the process that takes over; resolves with its number when it serves. Without it there is no such route. */
  readonly onUpgrade?: () => Promise<number>;
  /** Reads files of the dashboard, which is served at `/ui/`; without it there is none. */
  readonly pageFile?: ReadPageFile;
  /** The file that is put in force whenever it changes; `null` where none is. */
  readonly watchedFile?: string | null;
  /** The file that the server was started with; `null` for none. Loading it by `sluice reload` keeps it the source of the configuration. */
  readonly configFile?: string | null;
  /** Largest request body in bytes; default 64 MiB. */
  readonly bodyLimit?: number;
}

/** The same for routes, with defaults. */
export interface ApiOptions extends AdminServerOptions {
  readonly bodyLimit: number;
}
