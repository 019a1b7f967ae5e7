/** What selection policies choose by. */
import { proxyFacts, type Exchange, type ProxiedRequest } from '@sluice/http-app';

/** The request as upstreams will get it; that of the client where no proxy has made one. */
export function proxiedRequest(exchange: Exchange): ProxiedRequest {
  return exchange.attached(proxyFacts)?.request ?? exchange;
}
