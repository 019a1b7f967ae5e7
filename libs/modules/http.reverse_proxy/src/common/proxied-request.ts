/** Request data for selection policies. */
import { proxyFacts, type Exchange, type ProxiedRequest } from '@sluice/http-app';

/** Returns the request as upstreams receive it; the client's request if no proxy has created one. */
export function proxiedRequest(exchange: Exchange): ProxiedRequest {
  return exchange.attached(proxyFacts)?.request ?? exchange;
}
