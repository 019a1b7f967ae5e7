/** Events about upstream health, for event subscribers. */
import { declareEvent, token, type Token } from '@sluice/registry';

const origin = 'http.handlers.reverse_proxy';
const data = { host: 'Upstream address, as dialed.' };

export const upstreamHealthEvents = {
  healthy: declareEvent({
    origin,
    name: 'healthy',
    help: 'An upstream became healthy again, according to active health checks or outlier detection.',
    data,
  }),
  unhealthy: declareEvent({
    origin,
    name: 'unhealthy',
    help: 'An upstream became unhealthy according to active health checks, or outlier detection ejected it. The upstream no longer receives requests.',
    data,
  }),
};

/** A change in an upstream's health, detected by active health checks or outlier detection. */
export interface UpstreamHealthEvent {
  readonly name: keyof typeof upstreamHealthEvents;
  /** Dial address of the upstream. */
  readonly host: string;
}

export const upstreamEvents: Token<(event: UpstreamHealthEvent) => void> = token('upstream-events');
