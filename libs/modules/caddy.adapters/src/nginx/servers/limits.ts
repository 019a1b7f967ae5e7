/** Translates connection limits and trusted proxies of servers. */
import type { Json } from '@sluice/base';
import type { Adaptation } from '../adaptation.ts';
import type { Scope } from '../scope.ts';
import { parseDuration, parseSize } from '../text/values.ts';

/** Returns the connection limits of an address, which come from its default server. */
export function limits(scope: Scope): Record<string, Json | undefined> {
  const duration = (name: string): string | undefined => {
    const directive = scope.find(name);
    return directive === undefined ? undefined : parseDuration(directive, directive.args[0] ?? '');
  };
  const buffers = scope.find('large_client_header_buffers');
  const [count = '4', size = '8k'] = buffers?.args ?? [];
  return {
    read_header_timeout: duration('client_header_timeout'),
    read_idle_timeout: duration('client_body_timeout'),
    write_idle_timeout: duration('send_timeout'),
    idle_timeout: duration('keepalive_timeout'),
    max_header_bytes: buffers === undefined ? undefined : Number(count) * parseSize(buffers, size),
  };
}

/** `set_real_ip_from`: trusted proxies. */
export function trustedProxies(adaptation: Adaptation, scope: Scope): Record<string, Json | undefined> {
  const directives = scope.all('set_real_ip_from');
  const ranges = directives.flatMap(({ args }) => (args[0] === undefined || args[0] === 'unix:' ? [] : [args[0]]));
  const header = scope.value('real_ip_header') ?? 'X-Real-IP';
  if (ranges.length === 0 || header === 'proxy_protocol') return {};
  for (const directive of directives)
    if (directive.args[0] !== undefined && /[a-z]{2,}\./i.test(directive.args[0]))
      adaptation.warn(directive, `${directive.args[0]} is a name; only addresses and ranges are supported`);
  return { trusted_proxies: { source: 'static', ranges }, client_ip_headers: [header] };
}
