/** Options of the admin server and its routes. */
import type { Logger } from '@sluice/base';
import type { Reconciler } from '@sluice/reconciler';
import type { Metrics } from '@sluice/telemetry';
import type { ReadPageFile } from './dashboard/page-files.ts';
import type { ProposalStore } from './proposal.ts';
import type { ReportSigner } from './report-signer.ts';
import type { AdminEndpoint } from './endpoint/endpoint.ts';

export interface AdminServerOptions {
  readonly reconciler: Reconciler;
  readonly endpoint: AdminEndpoint;
  /** Endpoint for other machines, which is the `remoteEndpoint` service. */
  readonly remote?: AdminEndpoint;
  readonly log: Logger;
  readonly version: string;
  /** Registry for request metrics. If absent, no metrics are recorded. */
  readonly metrics?: Metrics;
  /** Stops the process gracefully. Called once, after the response to `POST /stop`. */
  readonly onStop: () => void;
  readonly onUpgrade?: () => Promise<number>;
  /** Reads files of the dashboard, served at `/ui/`; absent = no dashboard. */
  readonly pageFile?: ReadPageFile;
  /** File that is reloaded after changes; `null` for none. */
  readonly watchedFile?: string | null;
  /**
   * File with which the server was started; `null` for none. After `sluice reload` with this file, the file remains the configuration
   * source.
   */
  readonly configFile?: string | null;
  /** Signs reports about proposed changes; absent = there are no reports. */
  readonly reportSigner?: ReportSigner;
  /** Keeps proposals over restarts; absent = they are kept in memory. */
  readonly proposalStore?: ProposalStore;
  /** Maximum size of a request body in bytes. Default: 64 MiB. */
  readonly bodyLimit?: number;
}

/** Server options for routes, with defaults. */
export interface ApiOptions extends AdminServerOptions {
  readonly bodyLimit: number;
}
