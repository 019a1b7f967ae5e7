/** Sampled requests, and the message that transfers a sampled request. */
import { topic, type Topic } from '@sluice/threads';

/** Message from a traffic thread to the control thread: one request for the sample of its route. */
export interface SampledRequest {
  /** Name of the counter block for the request's server, route and host. */
  readonly key: string;
  /** Record as JSON: `at`, `server`, `route`, `request`, `response`, `duration_ms` and `upstream`. */
  readonly record: string;
}

/** Topic of sampled requests for the control thread. */
export const sampledTopic: Topic<SampledRequest> = topic('samples.sampled');
