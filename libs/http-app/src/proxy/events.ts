/** Upstream events for subscribers. */
import { declareEvent, token, type Token } from '@sluice/registry';

const origin = 'http.handlers.reverse_proxy';
const data = { host: 'Upstream address, as dialed.' };

/** Events by name. */
export const upstreamHealthEvents = {
  healthy: declareEvent({
    origin,
    name: 'healthy',
    help: 'An active health check found an upstream healthy again, or its ejection by outlier detection ended.',
    data,
  }),
  unhealthy: declareEvent({
    origin,
    name: 'unhealthy',
    help: 'An active health check found an upstream unhealthy, or outlier detection ejected it; it gets no further requests.',
    data,
  }),
};

/** A change in the result of an active health check or of outlier detection. */
export interface UpstreamHealthEvent {
  readonly name: keyof typeof upstreamHealthEvents;
  /** Dial address of the upstream. */
  readonly host: string;
}

/** Receives upstream events in the control thread; without a provider, they are dropped. */
export const upstreamEvents: Token<(event: UpstreamHealthEvent) => void> = token('upstream-events');
