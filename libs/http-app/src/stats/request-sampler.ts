/** Interface of the service that records a sample of a thread's requests. */
import { token, type Token } from '@sluice/registry';
import type { Exchange } from '../exchange/exchange.ts';

/** Limits for recorded requests, from `apps.http.samples` in the configuration. */
export interface SampleSettings {
  /** Maximum number of recorded requests per route and host; 0 disables recording. */
  readonly perRoute: number;
  /** Maximum total number of recorded requests. */
  readonly maxRequests: number;
  /** Maximum size of a recorded request body, in bytes; 0 disables recording of bodies. */
  readonly maxBody: number;
  /** True to also record bodies other than text and JSON. */
  readonly allBodies: boolean;
  /** True to keep recorded requests across restarts. */
  readonly persist: boolean;
}

/**
 * Selects requests to record. The server decrements `left` for each request and calls `take` when it reaches
 * 0.
 */
export interface RequestSampler {
  /** Number of requests until the next recorded request. Infinite if recording is off. */
  left: number;
  /** Copies the request head before any handler changes it, and resets `left`. */
  take(exchange: Exchange): void;
  /** Applies new settings. Called when a configuration becomes active. */
  configure(settings: SampleSettings): void;
}

/** Request sampler. Present in traffic threads if requests are recorded. */
export const requestSamplerToken: Token<RequestSampler> = token<RequestSampler>('request-sampler');

/** Receives sampling settings in the control thread when a configuration becomes active. */
export const sampleSettingsToken: Token<(settings: SampleSettings) => void> =
  token<(settings: SampleSettings) => void>('sample-settings');
