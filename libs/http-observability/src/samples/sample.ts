/** Sampled requests, and the message about them. */
import { topic, type Topic } from '@sluice/threads';

/** From a traffic thread to the control thread: one request for the sample of its route. */
export interface SampledRequest {
  /** Name of the counter block of the request's server, route and host. */
  readonly key: string;
  /** JSON of the record: `at`, `server`, `route`, `request`, `response`, `duration_ms` and `upstream`. */
  readonly record: string;
}

/** To the control thread. */
export const sampledTopic: Topic<SampledRequest> = topic('samples.sampled');
