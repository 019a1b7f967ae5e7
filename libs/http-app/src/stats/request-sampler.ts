/** Contract of the service that records a sample of a thread's requests. */
import { token, type Token } from '@sluice/registry';
import type { Exchange } from '../exchange/exchange.ts';

/** Limits for recorded requests: `apps.http.samples` in the configuration. */
export interface SampleSettings {
  /** Maximum number of recorded requests per route and host; 0 means that nothing is recorded. */
  readonly perRoute: number;
  /** Maximum total number of recorded requests. */
  readonly maxRequests: number;
  /** Maximum size of a recorded request body in bytes; 0 means that no bodies are recorded. */
  readonly maxBody: number;
  /** True to record bodies other than text and JSON. */
  readonly allBodies: boolean;
  /** True to keep the records over restarts. */
  readonly persist: boolean;
}

/** Selects requests to record. The server decrements `left` for each request, and calls `take` at 0. */
export interface RequestSampler {
  /** Number of requests until the next selected one; infinite if nothing is recorded. */
  left: number;
  /** Copies the head of a request that no handler has changed yet, and sets `left`. */
  take(exchange: Exchange): void;
  /** Called when a configuration becomes active. */
  configure(settings: SampleSettings): void;
}

/** Present in traffic threads if requests are recorded. */
export const requestSamplerToken: Token<RequestSampler> = token<RequestSampler>('request-sampler');

/** Receives the settings in the control thread when a configuration becomes active. */
export const sampleSettingsToken: Token<(settings: SampleSettings) => void> =
  token<(settings: SampleSettings) => void>('sample-settings');
