/** Implementation of `sluice convert ingress`, which converts manifests to a configuration or to HTTPRoutes. */
import { ChunkedList, type JsonObject } from '@sluice/base';
import { mergeFragments } from '@sluice/providers-app';
import { stringify } from 'yaml';
import { defaultSettings } from '../settings.ts';
import { httpRoutes } from './http-route.ts';
import { readManifests, type ManifestFile } from './manifests.ts';
import { translateManifests } from './offline.ts';

export interface ConvertIngressOptions {
  readonly to: 'httproute' | 'json';
  readonly allowSnippets: boolean;
  /** Name of the GatewayClass for the generated Gateways. */
  readonly gatewayClass: string;
  /** Converts nginx configuration. */
  readonly adaptNginx: (text: string) => Promise<JsonObject>;
}

export interface ConvertedIngresses {
  readonly text: string;
  /** Warnings about Ingress features that the result cannot represent. */
  readonly warnings: readonly string[];
  readonly count: number;
}

export async function convertIngresses(
  files: readonly ManifestFile[],
  { to, allowSnippets, gatewayClass, adaptNginx }: ConvertIngressOptions,
): Promise<ConvertedIngresses> {
  const settings = { ...defaultSettings, allowSnippets, isOffline: true };
  const manifests = readManifests(files);
  const result = await translateManifests(manifests, { settings, controllerName: null, adaptNginx });
  const count = result.ingresses.length;
  if (to === 'httproute') {
    const { objects, warnings } = httpRoutes(result.ingresses, { view: result.view, settings, gatewayClass });
    return {
      text: objects.map((each) => stringify(each, { lineWidth: 0 })).join('---\n'),
      warnings: prefixed(warnings),
      count,
    };
  }
  const { document } = mergeFragments({}, [{ provider: 'ingress', fragments: ChunkedList.of(result.fragments) }]);
  return { text: `${JSON.stringify(document, null, '\t')}\n`, warnings: prefixed(result.warnings), count };
}

function prefixed(warnings: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return [...warnings].flatMap(([key, list]) => list.map((each) => `Ingress ${key}: ${each}`));
}
