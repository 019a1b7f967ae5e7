/** The reverse proxies of a configuration, for their checks. */
import { isArray, isObject, own, type ConfigPath, type JsonObject } from '@sluice/base';
import type { LintedConfiguration } from '@sluice/registry';

/** A proxy and where it stands. */
export interface PlacedProxy {
  readonly node: JsonObject;
  readonly path: ConfigPath;
}

export function proxiesIn(configuration: LintedConfiguration): readonly PlacedProxy[] {
  return configuration
    .modulesOf('http.handlers.reverse_proxy')
    .filter((module): module is typeof module & PlacedProxy => isObject(module.node));
}

/** The addresses of a proxy's upstreams, and their places, which are made when they are asked for. */
export function dialsOf(proxy: PlacedProxy): readonly { readonly dial: string; readonly at: () => ConfigPath }[] {
  const upstreams = own(proxy.node, 'upstreams');
  return (isArray(upstreams) ? upstreams : []).flatMap((upstream, index) => {
    const dial = isObject(upstream) ? own(upstream, 'dial') : undefined;
    return typeof dial === 'string' ? [{ dial, at: () => [...proxy.path, 'upstreams', String(index), 'dial'] }] : [];
  });
}
