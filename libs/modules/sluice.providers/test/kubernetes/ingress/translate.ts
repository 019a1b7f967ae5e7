/** Translates Ingresses without an API server and serves the resulting configuration in tests. */
import { serve, type TestRequest, type TestResponse } from '@sluice/testing';
import { ChunkedList, type Json, type JsonObject } from '@sluice/base';
import { mergeFragments } from '@sluice/providers-app';
import { register as hashes } from '@sluice/http.authentication.hashes';
import { register as authentication } from '@sluice/http.authentication.providers';
import { register as handlers } from '@sluice/http.handlers';
import { register as ipSources } from '@sluice/http.ip_sources';
import { register as matchers } from '@sluice/http.matchers';
import { register as proxy } from '@sluice/http.reverse_proxy';
import { translateManifests } from '../../../src/kubernetes/ingress/convert/offline.ts';
import { defaultSettings, type IngressSettings } from '../../../src/kubernetes/ingress/settings.ts';
import type { FakeObject } from '../fake-api-server.ts';
import { service, slice } from '../objects.ts';

export interface TestObjects {
  readonly ingresses: readonly FakeObject[];
  readonly services?: readonly FakeObject[];
  readonly slices?: readonly FakeObject[];
  readonly secrets?: readonly FakeObject[];
  readonly configMaps?: readonly FakeObject[];
  readonly settings?: Partial<IngressSettings>;
  readonly adaptNginx?: (text: string) => Promise<JsonObject>;
}

export interface Translated {
  readonly config: JsonObject;
  /** Warnings for all Ingresses. */
  readonly warnings: readonly string[];
  /** Route configurations for HTTP and HTTPS, as JSON strings. */
  readonly http: string;
  readonly https: string;
  request(path: string, options?: TestRequest): Promise<TestResponse>;
}

const defaultServices = ['app', 'other', 'errors'];

/** Translates objects. The Services `app`, `other` and `errors` have one endpoint each: 10.0.0.1, 10.0.0.2 and 10.0.0.3. */
export async function translate(objects: TestObjects): Promise<Translated> {
  const { fragments, warnings } = await translateManifests(
    {
      classes: [],
      ingresses: objects.ingresses as never,
      services: [...defaultServices.map((name) => service(name)), ...(objects.services ?? [])] as never,
      slices: [
        ...defaultServices.map((name, i) => slice(name, [`10.0.0.${i + 1}`])),
        ...(objects.slices ?? []),
      ] as never,
      secrets: objects.secrets ?? [],
      configMaps: objects.configMaps ?? [],
    },
    {
      settings: { ...defaultSettings, ...objects.settings },
      controllerName: null,
      adaptNginx: objects.adaptNginx ?? (() => Promise.reject(new Error('not used'))),
    },
  );
  const { document } = mergeFragments({}, [{ provider: 'ingress', fragments: ChunkedList.of(fragments) }]);
  const routes = (name: string): string => JSON.stringify(serversOf(document)[name] ?? null);
  return {
    config: document,
    warnings: [...warnings.values()].flat(),
    http: routes('ingress_http'),
    https: routes('ingress_https'),
    request: async (path, options) => {
      const server = await serve(withoutTls(document), {
        register: [handlers, matchers, proxy, authentication, hashes, ipSources],
      });
      try {
        return await server.request({ path, host: 'a.test', server: 'ingress_http', ...options });
      } finally {
        await server.close();
      }
    },
  };
}

function serversOf(document: JsonObject): Record<string, JsonObject> {
  return (document['apps'] as { http: { servers: Record<string, JsonObject> } }).http.servers;
}

/** Removes TLS from the configuration, because in-memory requests use neither listeners nor handshakes. */
function withoutTls(document: JsonObject): JsonObject {
  const servers = Object.entries(serversOf(document)).map(
    ([name, { listen: _listen, tls_connection_policies: _policies, ...server }]) => [name, server as Json],
  );
  return { apps: { http: { servers: Object.fromEntries(servers) as JsonObject } } };
}
