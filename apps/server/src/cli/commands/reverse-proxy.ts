/** `sluice reverse-proxy`: proxies requests to upstreams. */
import { reverseProxyConfig, type ReverseProxyOptions } from '../quick/reverse-proxy-config.ts';
import { serveQuickly, type WorkerOption } from '../quick/serve-quickly.ts';

/** Proxies requests until a shutdown is requested. */
export function reverseProxy(options: ReverseProxyOptions & WorkerOption): Promise<number> {
  return serveQuickly(reverseProxyConfig(options), options);
}
