/** Request data for upstream selection policies. */
import { proxyFacts, type Exchange, type ProxiedRequest } from '@sluice/http-app';

/** Returns the request as upstreams receive it. Returns the client's request if no proxy has created an upstream request. */
export function proxiedRequest(exchange: Exchange): ProxiedRequest {
  return exchange.attached(proxyFacts)?.request ?? exchange;
}
