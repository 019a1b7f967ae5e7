/** Contract of the service that records a sample of a thread's requests. */
import { token, type Token } from '@sluice/registry';
import type { Exchange } from '../exchange/exchange.ts';

/** Bounds of the recorded sample; `apps.http.samples` in the configuration. */
export interface SampleSettings {
  /** Max recorded requests per route and host; 0 = nothing is recorded. */
  readonly perRoute: number;
  /** Max recorded requests in total. */
  readonly maxRequests: number;
  /** Max size of a recorded request body in bytes; 0 = no bodies are recorded. */
  readonly maxBody: number;
  /** True to record bodies other than text and JSON. */
  readonly allBodies: boolean;
  /** True to keep the records over restarts. */
  readonly persist: boolean;
}

/** Selects requests of a thread. The server decrements `left` for each request, and calls `take` at 0. */
export interface RequestSampler {
  /** Requests until the next selected one; infinite if nothing is recorded. */
  left: number;
  /** Copies the head of a request that no handler has changed yet, and sets `left`. */
  take(exchange: Exchange): void;
  /** Called at each commit. */
  configure(settings: SampleSettings): void;
}

/** Service of a traffic thread; without it, nothing is sampled. */
export const requestSamplerToken: Token<RequestSampler> = token<RequestSampler>('request-sampler');

/** Service of the control thread that gets the settings at each commit. */
export const sampleSettingsToken: Token<(settings: SampleSettings) => void> =
  token<(settings: SampleSettings) => void>('sample-settings');
