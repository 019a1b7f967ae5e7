/** Upstream counters of proxies and transports, for charts. Sampled every few seconds, never by a request. */
import { contributionPoint, type Contribution, type ContributionPoint } from '@sluice/registry';
import { question, type Question } from '@sluice/threads';

/** Connections to one address. */
export interface UpstreamConnections {
  /** {@link DialAddress.text}. */
  readonly address: string;
  readonly open: number;
  /** Connections that no request uses. */
  readonly idle: number;
  /** Requests waiting for a connection because of a limit. */
  readonly waiting: number;
}

/** Requests the pooled connections from the traffic threads. */
export const upstreamConnections: Question<null, readonly UpstreamConnections[]> =
  question('http.upstream_connections');

/** An upstream at one point in time. */
export interface UpstreamSample {
  /** Address as configured. */
  readonly address: string;
  readonly inFlight: number;
  /** Number of proxies that use the upstream, and number of proxies that consider it unhealthy. */
  readonly usedBy: number;
  readonly unhealthy: number;
}

/** Contribution of a package with proxies. */
export interface UpstreamSampler extends Contribution {
  sample(): Promise<readonly UpstreamSample[]>;
}

export const upstreamSamplers: ContributionPoint<UpstreamSampler> =
  contributionPoint<UpstreamSampler>('http.upstream_samplers');
