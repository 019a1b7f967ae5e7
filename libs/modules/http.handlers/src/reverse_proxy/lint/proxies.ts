/** The reverse proxies of a configuration, for their checks. */
import { isArray, isObject, own, type ConfigPath, type JsonObject } from '@sluice/base';
import type { LintedConfiguration } from '@sluice/registry';

/** A proxy and where it stands. */
export interface PlacedProxy {
  readonly node: JsonObject;
  readonly path: ConfigPath;
}

/** All of them. */
export function proxiesIn(configuration: LintedConfiguration): readonly PlacedProxy[] {
  return configuration
    .modulesOf('http.handlers.reverse_proxy')
    .flatMap(({ node, path }) => (isObject(node) ? [{ node, path }] : []));
}

/** The addresses of a proxy's upstreams, and where they stand. */
export function dialsOf({ node, path }: PlacedProxy): readonly { readonly dial: string; readonly at: ConfigPath }[] {
  const upstreams = own(node, 'upstreams');
  return (isArray(upstreams) ? upstreams : []).flatMap((upstream, index) => {
    const dial = isObject(upstream) ? own(upstream, 'dial') : undefined;
    return typeof dial === 'string' ? [{ dial, at: [...path, 'upstreams', String(index), 'dial'] }] : [];
  });
}
