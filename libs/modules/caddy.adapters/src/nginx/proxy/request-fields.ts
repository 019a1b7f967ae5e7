/** Translates `proxy_set_header`, which sets headers of upstream requests. */
import { node, type Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { argument } from '../syntax/directive.ts';
import { expandText, mayBeEmpty } from '../text/expand.ts';
import { emptyField } from '../response/fields.ts';

/** Connection headers that the proxy sets itself. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'upgrade', 'content-length', 'transfer-encoding']);

/**
 * Returns the operations on request headers. A header that is set several times is sent several times. The default `Host` is the upstream's
 * host.
 */
export function requestFields(site: Site, scope: Scope, host: string, name = 'proxy_set_header'): Node | undefined {
  const fields = new Map<string, { readonly name: string; readonly values: string[] }>();
  const remove: string[] = [];
  let hostIsSet = name !== 'proxy_set_header' && name !== 'grpc_set_header';
  for (const directive of scope.all(name)) {
    const field = argument(directive, 0, 'a field name and a value');
    const source = argument(directive, 1, 'a value after the name');
    const lower = field.toLowerCase();
    if (ofConnection.has(lower)) continue;
    if (lower === 'host') hostIsSet = true;
    // The proxy adds these headers itself. It ignores values from untrusted clients.
    if (lower === 'x-forwarded-for' && /^\$(?:proxy_add_x_forwarded_for|remote_addr)$/.test(source)) continue;
    if (lower === 'host' && /^\$(?:http_)?host(?::\$server_port)?$/.test(source) && source !== '$host') continue;
    const special = { proxy_host: host, proxy_port: /:(\d+)$/.exec(host)?.[1] ?? '80' };
    const value = expandText(source, { site, scope, at: directive, special });
    if (value === '') remove.push(field);
    else {
      const known = fields.get(lower);
      if (known === undefined) fields.set(lower, { name: field, values: [value] });
      else if (lower === 'host') {
        known.values[0] = value;
        site.adaptation.warn(directive, `duplicate ${name} Host: nginx sends both, Sluice sends the last one`);
      } else known.values.push(value);
      if (mayBeEmpty(value)) remove.push(emptyField(site, field, value));
    }
  }
  if (!hostIsSet) fields.set('host', { name: 'Host', values: [host] });
  if (fields.size + remove.length === 0) return undefined;
  return node({
    set:
      fields.size === 0 ? undefined : Object.fromEntries([...fields.values()].map((each) => [each.name, each.values])),
    delete: remove.length === 0 ? undefined : remove,
  });
}
