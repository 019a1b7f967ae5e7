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
  /** Remote admin endpoint (the `remoteEndpoint` service). */
  readonly remote?: AdminEndpoint;
  readonly log: Logger;
  readonly version: string;
  /** Registry for request metrics. If absent, no metrics are recorded. */
  readonly metrics?: Metrics;
  /** Stops the process gracefully. Called once, after the response to `POST /stop` is sent. */
  readonly onStop: () => void;
  readonly onUpgrade?: () => Promise<number>;
  /** Reads dashboard files, which are served at `/ui/`. If missing, there is no dashboard. */
  readonly pageFile?: ReadPageFile;
  /** Configuration file that the server watches and reloads after changes. `null` if no file is watched. */
  readonly watchedFile?: string | null;
  /**
   * Configuration file passed at startup. `null` if there is none. After `sluice reload` with the same file, the file remains the
   * configuration source.
   */
  readonly configFile?: string | null;
  /** Signs reports about proposed changes. If missing, no reports are created. */
  readonly reportSigner?: ReportSigner;
  /** Stores proposals across restarts. If missing, proposals are kept in memory. */
  readonly proposalStore?: ProposalStore;
  /** Maximum size of a request body in bytes. Default: 64 MiB. */
  readonly bodyLimit?: number;
}

/** Admin server options for the route handlers, with defaults applied. */
export interface ApiOptions extends AdminServerOptions {
  readonly bodyLimit: number;
}
