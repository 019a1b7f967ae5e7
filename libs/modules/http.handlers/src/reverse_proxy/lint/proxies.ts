/** Finds the reverse proxies in a configuration, for lint checks. */
import { isArray, isObject, own, type ConfigPath, type JsonObject } from '@sluice/base';
import type { LintedConfiguration } from '@sluice/registry';

export interface PlacedProxy {
  readonly node: JsonObject;
  readonly path: ConfigPath;
}

export function proxiesIn(configuration: LintedConfiguration): readonly PlacedProxy[] {
  return configuration
    .modulesOf('http.handlers.reverse_proxy')
    .filter((module): module is typeof module & PlacedProxy => isObject(module.node));
}

/** Returns the upstream addresses of a proxy. Their configuration paths are computed on demand. */
export function dialsOf(proxy: PlacedProxy): readonly { readonly dial: string; readonly at: () => ConfigPath }[] {
  const upstreams = own(proxy.node, 'upstreams');
  return (isArray(upstreams) ? upstreams : []).flatMap((upstream, index) => {
    const dial = isObject(upstream) ? own(upstream, 'dial') : undefined;
    return typeof dial === 'string' ? [{ dial, at: () => [...proxy.path, 'upstreams', String(index), 'dial'] }] : [];
  });
}
