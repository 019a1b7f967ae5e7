/** `sluice reverse-proxy`: sends requests on to upstreams. */
import { reverseProxyConfig, type ReverseProxyOptions } from '../quick/reverse-proxy-config.ts';
import { serveQuickly, type WorkerOption } from '../quick/serve-quickly.ts';

/** Serves until it is asked to end. */
export function reverseProxy(options: ReverseProxyOptions & WorkerOption): Promise<number> {
  return serveQuickly(reverseProxyConfig(options), options);
}
