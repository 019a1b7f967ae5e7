/** Input of the translation of one Ingress. Collects the dependencies of the Ingress. */
import { targets } from '../gateway/cluster-view.ts';
import type { Secret } from '../objects.ts';
import type { AnnotationName } from './annotations/table.ts';
import type { Annotations } from './annotations/reader.ts';
import type { ConfigMap, Ingress, IngressView } from './objects.ts';
import type { IngressSettings } from './settings.ts';

export interface IngressScope {
  readonly ingress: Ingress;
  readonly namespace: string;
  readonly annotations: Annotations;
  readonly view: IngressView;
  readonly settings: IngressSettings;
  /** Targets on which the translated Ingress depends. */
  readonly dependsOn: Set<string>;
}

/** Functions that return object names for the dependency index. */
export const ingressTargets = {
  ...targets,
  configMap: (key: string): string => `configmap/${key}`,
  claim: (claim: string): string => `claim/${claim}`,
  host: (host: string): string => `host/${host}`,
  snippet: (text: string): string => `snippet/${text}`,
};

/** Returns the Secret that an annotation references, as `name` or `namespace/name`. Refuses the Ingress if the Secret is missing. */
export function secretOf(name: AnnotationName, scope: IngressScope): Secret {
  const key = objectKey(scope.annotations.text(name) ?? '', scope.namespace);
  checkNamespace(name, key, scope);
  scope.dependsOn.add(ingressTargets.secret(key));
  const secret = scope.view.secret(key);
  return secret ?? scope.annotations.refuse(name, `Secret ${key} ${missing(secret)}`);
}

/** Returns the ConfigMap that an annotation references. If it is missing, returns `null` and adds a warning. */
export function configMapOf(name: AnnotationName, scope: IngressScope): ConfigMap | null {
  const text = scope.annotations.text(name);
  if (text === undefined) return null;
  const key = objectKey(text, scope.namespace);
  checkNamespace(name, key, scope);
  scope.dependsOn.add(ingressTargets.configMap(key));
  const found = scope.view.configMap(key);
  if (found === null || found === undefined) scope.annotations.warn(name, `ConfigMap ${key} ${missing(found)}`);
  return found ?? null;
}

/** Checks the namespace of a reference. Without this check, Ingress authors could read objects of other teams. */
function checkNamespace(name: AnnotationName, key: string, { namespace, annotations, settings }: IngressScope): void {
  if (!settings.allowCrossNamespace && !key.startsWith(`${namespace}/`))
    annotations.refuse(name, `${key} is in another namespace; to allow this, set allow_cross_namespace`);
}

export function objectKey(text: string, namespace: string): string {
  return text.includes('/') ? text : `${namespace}/${text}`;
}

function missing(found: null | undefined): string {
  return found === null ? 'has not been read yet' : "doesn't exist";
}

/** Reports whether a ConfigMap key is a valid header field name. */
export function isFieldName(annotation: AnnotationName, name: string, { annotations }: IngressScope): boolean {
  const isName = /^[\w-]+$/.test(name);
  if (!isName) annotations.warn(annotation, `${JSON.stringify(name)} is not a valid header field name`);
  return isName;
}

/** Returns the snippet in a target, or `null` for other targets. */
export function snippetIn(target: string): string | null {
  return target.startsWith('snippet/') ? target.slice('snippet/'.length) : null;
}
