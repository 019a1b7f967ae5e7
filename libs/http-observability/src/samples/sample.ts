/** Message that sends a sampled request to the control thread. */
import { topic, type Topic } from '@sluice/threads';

/** Message from a traffic thread to the control thread, with one sampled request. */
export interface SampledRequest {
  /** Name of the counter block for the request's server, route and host. */
  readonly key: string;
  /** Recorded request as JSON: `at`, `server`, `route`, `request`, `response`, `duration_ms` and `upstream`. */
  readonly record: string;
}

/** Topic on which traffic threads send sampled requests to the control thread. */
export const sampledTopic: Topic<SampledRequest> = topic('samples.sampled');
