/** Attachment of routes to Gateway listeners. */
import type { HttpRoute, LabelSelector, ParentReference } from '../objects.ts';
import type { ClusterView } from './cluster-view.ts';
import { fails, holds, type Finding } from './conditions.ts';
import { gatewayGroup } from './grants.ts';
import { intersection } from './hostnames.ts';
import { listenerSetKey, type Listener } from './listener.ts';

export interface Attached {
  readonly listener: Listener;
  readonly hostnames: readonly string[];
}

export interface Attachment {
  readonly accepted: Finding;
  readonly attached: readonly Attached[];
}

/** Returns the key of the referenced Gateway or ListenerSet, or `null` for other kinds. */
export function parentOf(
  { group = gatewayGroup, kind = 'Gateway', name, namespace }: ParentReference,
  routeNamespace: string,
): string | null {
  const key = `${namespace ?? routeNamespace}/${name}`;
  if (group !== gatewayGroup) return null;
  return kind === 'Gateway' ? key : kind === 'ListenerSet' ? listenerSetKey(key) : null;
}

/** Attaches a route to the listeners of a Gateway or ListenerSet, if they permit the route. */
export function attach(
  { route, kind }: { readonly route: HttpRoute; readonly kind: string },
  parent: ParentReference,
  listeners: readonly Listener[],
  view: ClusterView,
): Attachment {
  const { sectionName, port } = parent;
  const named = listeners.filter(
    (each) => (sectionName === undefined || each.name === sectionName) && (port === undefined || each.port === port),
  );
  if (named.length === 0)
    return refused(
      'NoMatchingParent',
      `no listener has ${sectionName === undefined ? `port ${port ?? ''}` : `the name ${sectionName}`}`,
    );
  const namespace = route.metadata.namespace ?? '';
  const permitted = named.filter(
    (each) => each.kinds.some((allowed) => allowed.kind === kind) && allows(each, namespace, view),
  );
  if (permitted.length === 0)
    return refused('NotAllowedByListeners', `no listener allows ${kind}s of namespace ${namespace}`);
  const attached = permitted.flatMap((listener) => {
    const hostnames = intersection(listener.hostname, route.spec.hostnames ?? []);
    return hostnames === null ? [] : [{ listener, hostnames }];
  });
  if (attached.length === 0)
    return refused('NoMatchingListenerHostname', 'no listener matches a hostname of the route');
  return { accepted: holds('Accepted'), attached };
}

function refused(reason: string, message: string): Attachment {
  return { accepted: fails('Accepted', reason, message), attached: [] };
}

function allows({ allowed, namespace }: Listener, routeNamespace: string, view: ClusterView): boolean {
  return allowsNamespace({ from: 'Same', ...allowed }, namespace, routeNamespace, view);
}

/** Reports whether an object's namespace rule permits objects from another namespace. */
export function allowsNamespace(
  { from, selector = {} }: Listener['allowed'],
  ownNamespace: string,
  namespace: string,
  view: Pick<ClusterView, 'labelsOf'>,
): boolean {
  switch (from) {
    case 'All':
      return true;
    case 'Same':
      return namespace === ownNamespace;
    case 'Selector':
      return selects(selector, view.labelsOf(namespace));
    default:
      return false;
  }
}

/** Reports whether labels match a label selector. An empty selector matches all labels. */
function selects(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  for (const [name, value] of Object.entries(selector.matchLabels ?? {})) if (labels[name] !== value) return false;
  return (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    switch (operator) {
      case 'In':
        return value !== undefined && values.includes(value);
      case 'NotIn':
        return value === undefined || !values.includes(value);
      case 'Exists':
        return value !== undefined;
      case 'DoesNotExist':
        return value === undefined;
      default:
        return false;
    }
  });
}
