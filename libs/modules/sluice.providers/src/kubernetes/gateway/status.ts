/** Status patches for GatewayClasses, Gateways and routes. */
import { jsonEqual, type Json } from '@sluice/base';
import type {
  BackendTlsPolicy,
  Condition,
  Gateway,
  GatewayClass,
  HttpRoute,
  KubeObject,
  ListenerSet,
  ParentReference,
  RouteParentStatus,
} from '../objects.ts';
import { rejectingReasons, type Assignment } from './addresses.ts';
import { conditionsOf, fails, holds, type Finding } from './conditions.ts';
import type { RouteRecord } from './http-route.ts';
import type { Listener } from './listener.ts';
import { supportedFeatures } from './features.ts';
import { gatewayGroup } from './grants.ts';

/** Returns a status patch for a GatewayClass, or `null` if the status is up to date. */
export function classPatch(gatewayClass: GatewayClass): Json {
  const finding =
    gatewayClass.spec.parametersRef === undefined
      ? holds('Accepted')
      : fails('Accepted', 'InvalidParameters', 'parametersRef is not supported');
  return patchOf(gatewayClass, {
    conditions: conditionsOf([finding], generationOf(gatewayClass), gatewayClass.status?.conditions),
    supportedFeatures: supportedFeatures.map((name) => ({ name })),
  });
}

export interface GatewayState {
  readonly assignment: Assignment;
  readonly listeners: readonly Listener[];
  readonly attachedRoutes: (listener: string) => number;
  /** Reasons why the server rejected listeners, keyed by listener name. */
  readonly rejected: ReadonlyMap<string, string>;
  /** Number of ListenerSets that the Gateway has accepted. */
  readonly attachedSets: number;
  /** Conditions that result from the Gateway's TLS options. */
  readonly tlsFindings: readonly Finding[];
}

export function gatewayPatch(gateway: Gateway, state: GatewayState): Json {
  const { assignment, listeners, rejected } = state;
  const generation = generationOf(gateway);
  const invalid = listeners.filter((each) => !isValid(each));
  const unaccepted = listeners.filter(({ findings }) =>
    findings.some(({ type, isTrue }) => type === 'Accepted' && !isTrue),
  );
  const { problem } = assignment;
  const conditions = [acceptedFinding(), programmedFinding(), ...state.tlsFindings];
  return patchOf(gateway, {
    addresses: assignment.published.map((value) => ({
      type: /^[\d.]+$|:/.test(value) ? 'IPAddress' : 'Hostname',
      value,
    })),
    conditions: conditionsOf(conditions, generation, gateway.status?.conditions),
    listeners: listenersStatus(state, generation, gateway.status?.listeners),
    ...(state.attachedSets === 0 && gateway.status?.attachedListenerSets === undefined
      ? {}
      : { attachedListenerSets: state.attachedSets }),
  });

  function acceptedFinding(): Finding {
    if (problem !== null && rejectingReasons.has(problem.reason))
      return fails('Accepted', problem.reason, problem.message);
    if (unaccepted.length === 0) return holds('Accepted');
    const message = `listeners ${unaccepted.map(({ name }) => name).join(', ')} are invalid`;
    return unaccepted.length === listeners.length
      ? fails('Accepted', 'ListenersNotValid', message)
      : holds('Accepted', 'ListenersNotValid', message);
  }

  function programmedFinding(): Finding {
    if (problem !== null)
      return fails('Programmed', rejectingReasons.has(problem.reason) ? 'Invalid' : problem.reason, problem.message);
    if (invalid.length + rejected.size < listeners.length || listeners.length === 0) return holds('Programmed');
    const [first] = rejected.values();
    return fails('Programmed', 'Invalid', first ?? 'none of the listeners is valid');
  }
}

interface ListenerStatus {
  readonly name: string;
  readonly conditions?: readonly Condition[];
}

function listenersStatus(
  { listeners, attachedRoutes, rejected }: Pick<GatewayState, 'listeners' | 'attachedRoutes' | 'rejected'>,
  generation: number,
  previous: readonly ListenerStatus[] | undefined,
): readonly ListenerStatus[] {
  return listeners.map(({ name, kinds, findings }) => ({
    name,
    supportedKinds: kinds,
    attachedRoutes: attachedRoutes(name),
    conditions: conditionsOf(
      findings.map((finding) => withRejection(finding, rejected.get(name))),
      generation,
      previous?.find((each) => each.name === name)?.conditions,
    ),
  }));
}

export interface ListenerSetState extends Pick<GatewayState, 'listeners' | 'attachedRoutes' | 'rejected'> {
  /** True if the Gateway permits ListenerSets from this namespace. */
  readonly isAllowed: boolean;
}

/** Returns a status patch for a ListenerSet, or `null` if the status is up to date. */
export function listenerSetPatch(set: ListenerSet, state: ListenerSetState): Json {
  const generation = generationOf(set);
  return patchOf(set, {
    conditions: conditionsOf(setFindings(state), generation, set.status?.conditions),
    listeners: state.isAllowed ? listenersStatus(state, generation, set.status?.listeners) : [],
  });
}

function setFindings({ isAllowed, listeners, rejected }: ListenerSetState): readonly Finding[] {
  const refused = (reason: string, message: string): readonly Finding[] =>
    ['Accepted', 'Programmed'].map((type) => fails(type, reason, message));
  if (!isAllowed) return refused('NotAllowed', 'the Gateway does not allow ListenerSets from this namespace');
  const invalid = listeners.filter((each) => !isValid(each) || rejected.has(each.name)).map(({ name }) => name);
  if (invalid.length === 0) return [holds('Accepted'), holds('Programmed')];
  const message = `listeners ${invalid.join(', ')} are invalid`;
  if (invalid.length === listeners.length) return refused('ListenersNotValid', message);
  return [holds('Accepted', 'ListenersNotValid', message), holds('Programmed')];
}

/** Reports whether a listener can be served without restrictions. */
export function isValid({ findings }: Listener): boolean {
  return findings.every(({ type, isTrue }) => type === 'Conflicted' || isTrue);
}

function withRejection(finding: Finding, error: string | undefined): Finding {
  return error === undefined || finding.type !== 'Programmed' ? finding : fails('Programmed', 'Invalid', error);
}

/** @param rejected Reasons why the server rejected fragments of the route. */
export function routePatch(
  route: HttpRoute,
  { parents, fragmentKeys, unsupported }: RouteRecord,
  controllerName: string,
  rejected: readonly string[],
): Json {
  const existing = route.status?.parents ?? [];
  const reasons = [...unsupported, ...rejected];
  const message = reasons.join('; ').slice(0, 1000);
  const isAllRejected =
    reasons.length > 0 &&
    (unsupported.length === (route.spec.rules ?? []).length ||
      (rejected.length > 0 && rejected.length === fragmentKeys.length));
  const overruled = (finding: Finding): Finding =>
    isAllRejected && finding.type === 'Accepted' && finding.isTrue
      ? fails('Accepted', 'UnsupportedValue', message)
      : finding;
  const partial = reasons.length > 0 && !isAllRejected ? [holds('PartiallyInvalid', 'UnsupportedValue', message)] : [];
  const own: RouteParentStatus[] = parents.map(({ reference, findings }) => ({
    parentRef: reference,
    controllerName,
    conditions: conditionsOf(
      [...findings.map(overruled), ...partial],
      generationOf(route),
      existing.find((each) => each.controllerName === controllerName && isSameParent(each.parentRef, reference))
        ?.conditions,
    ),
  }));
  const others = existing.filter((each) => each.controllerName !== controllerName);
  if (own.length === 0 && others.length === existing.length) return null;
  return patchOf(route, { parents: [...others, ...own] });
}

/** Maximum number of ancestors in the status of a policy, as the Gateway API specifies. */
const maxAncestors = 16;

/** @param gateways Keys of the Gateways whose routes use the policy. */
export function policyPatch(
  policy: BackendTlsPolicy,
  findings: readonly Finding[],
  gateways: readonly string[],
  controllerName: string,
): Json {
  const existing = policy.status?.ancestors ?? [];
  const others = existing.filter((each) => each.controllerName !== controllerName);
  const own = gateways.slice(0, maxAncestors - others.length).map((key) => {
    const [namespace = '', name = ''] = key.split('/');
    const ancestorRef = { group: gatewayGroup, kind: 'Gateway', namespace, name };
    const known = existing.find(
      (each) =>
        each.controllerName === controllerName &&
        each.ancestorRef.name === name &&
        each.ancestorRef.namespace === namespace,
    );
    return { ancestorRef, controllerName, conditions: conditionsOf(findings, generationOf(policy), known?.conditions) };
  });
  if (own.length === 0 && others.length === existing.length) return null;
  return patchOf(policy, { ancestors: [...others, ...own] });
}

function isSameParent(one: ParentReference, other: ParentReference): boolean {
  return jsonEqual(one as unknown as Json, other as unknown as Json);
}

/** Returns a status patch. It contains the resource version, so the API server rejects it if another controller has changed the object. */
function patchOf(object: KubeObject & { readonly status?: object }, status: object): Json {
  const current = { ...object.status } as Record<string, Json>;
  const wanted = status as Readonly<Record<string, Json>>;
  if (Object.entries(wanted).every(([key, value]) => jsonEqual(current[key] ?? [], value))) return null;
  return { metadata: { resourceVersion: object.metadata.resourceVersion ?? '' }, status: wanted };
}

function generationOf({ metadata: { generation = 0 } }: KubeObject): number {
  return generation;
}
