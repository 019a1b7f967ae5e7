/** Upstream counters of proxies and transports, for charts. They are sampled every few seconds, not per request. */
import { contributionPoint, type Contribution, type ContributionPoint } from '@sluice/registry';
import { question, type Question } from '@sluice/threads';

export interface UpstreamConnections {
  /** {@link DialAddress.text}. */
  readonly address: string;
  readonly open: number;
  /** Open connections that no request is using. */
  readonly idle: number;
  /** Requests that wait for a connection because of a connection limit. */
  readonly waiting: number;
}

/** Collects connection pool counters from all traffic threads. */
export const upstreamConnections: Question<null, readonly UpstreamConnections[]> =
  question('http.upstream_connections');

export interface UpstreamSample {
  /** Address as configured. */
  readonly address: string;
  readonly inFlight: number;
  /** Number of proxies that use the upstream. `unhealthy` is the number of these proxies that consider it unhealthy. */
  readonly usedBy: number;
  readonly unhealthy: number;
}

export interface UpstreamSampler extends Contribution {
  sample(): Promise<readonly UpstreamSample[]>;
}

export const upstreamSamplers: ContributionPoint<UpstreamSampler> =
  contributionPoint<UpstreamSampler>('http.upstream_samplers');
