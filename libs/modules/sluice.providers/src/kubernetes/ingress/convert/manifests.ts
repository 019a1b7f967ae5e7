/** Reads Kubernetes manifests: YAML with several documents, JSON, and lists. */
import { isArray, isObject, messageOf, SluiceError, type Json, type JsonObject } from '@sluice/base';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../objects.ts';
import type { Manifests } from './offline.ts';

export interface ManifestFile {
  readonly name: string;
  readonly text: string;
}

const kinds = {
  IngressClass: 'classes',
  Ingress: 'ingresses',
  Service: 'services',
  EndpointSlice: 'slices',
  Secret: 'secrets',
  ConfigMap: 'configMaps',
} as const satisfies Record<string, keyof Manifests>;

/** Reads Kubernetes manifests. Skips objects of unsupported kinds. */
export function readManifests(files: readonly ManifestFile[]): Manifests {
  const found: Record<keyof Manifests, KubeObject[]> = {
    classes: [],
    ingresses: [],
    services: [],
    slices: [],
    secrets: [],
    configMaps: [],
  };
  for (const { name, text } of files)
    for (const document of parseAllDocuments(text)) {
      const [error] = document.errors;
      if (error !== undefined) throw new SluiceError('ERR_PROVIDER_OBJECT', `${name}: ${messageOf(error)}`);
      for (const object of objectsIn(document.toJS() as Json)) add(object, name);
    }
  return found as unknown as Manifests;

  function add(object: JsonObject, file: string): void {
    const { kind } = object;
    const list = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind as keyof typeof kinds] : null;
    if (list === null) return;
    found[list].push(withNamespace(object, list, file));
  }
}

function objectsIn(document: Json): readonly JsonObject[] {
  if (!isObject(document)) return [];
  const { kind, items } = document;
  if (typeof kind === 'string' && kind.endsWith('List') && isArray(items)) return items.flatMap(objectsIn);
  return [document];
}

function withNamespace(object: JsonObject, list: keyof Manifests, file: string): KubeObject {
  const metadata = object['metadata'];
  if (!isObject(metadata) || typeof metadata['name'] !== 'string')
    throw new SluiceError('ERR_PROVIDER_OBJECT', `${file}: an object of kind ${String(object['kind'])} has no name`);
  const namespace = list === 'classes' ? {} : { namespace: metadata['namespace'] ?? 'default' };
  const complete = { ...object, ...(list === 'secrets' ? { data: secretData(object) } : {}) };
  const spec = list === 'ingresses' || list === 'services' ? { spec: object['spec'] ?? {} } : {};
  return { ...complete, ...spec, metadata: { ...metadata, ...namespace } } as unknown as KubeObject;
}

/** Returns a Secret's data. Base64-encodes the values in `stringData`. */
function secretData({ data, stringData }: JsonObject): JsonObject {
  const encoded = Object.entries(isObject(stringData) ? stringData : {}).map(([name, value]) => [
    name,
    Buffer.from(String(value)).toString('base64'),
  ]);
  return { ...(isObject(data) ? data : {}), ...(Object.fromEntries(encoded) as JsonObject) };
}
