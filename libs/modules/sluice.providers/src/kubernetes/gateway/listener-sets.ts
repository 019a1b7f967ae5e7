/** ListenerSets, which add listeners from other namespaces to a Gateway. */
import { compareText } from '@sluice/base';
import { ageOf, keyOf, type Gateway, type ListenerSet } from '../objects.ts';
import { allowsNamespace, parentOf } from './attachment.ts';
import { targets, type ClusterView } from './cluster-view.ts';
import { listenerSetKey, type Listener } from './listener.ts';

/** A ListenerSet that refers to a Gateway. `isAllowed` states whether the Gateway permits the set. */
export interface AttachedSet {
  readonly key: string;
  readonly set: ListenerSet;
  /** True if the Gateway permits ListenerSets from this namespace. */
  readonly isAllowed: boolean;
}

/** Returns the ListenerSets of each Gateway, in order of precedence (oldest first). */
export function setsByGateway(sets: Iterable<ListenerSet>): ReadonlyMap<string, readonly ListenerSet[]> {
  const sorted = [...sets].sort((a, b) => compareText(ageOf(a), ageOf(b)));
  return Map.groupBy(sorted, ({ spec, metadata }) => parentOf(spec.parentRef, metadata.namespace ?? '') ?? '');
}

/** @param dependsOn Receives the namespaces whose labels were compared. */
export function attachedSets(
  { metadata, spec }: Gateway,
  sets: readonly ListenerSet[],
  view: Pick<ClusterView, 'labelsOf'>,
  dependsOn: Set<string>,
): readonly AttachedSet[] {
  const rule = spec.allowedListeners?.namespaces ?? {};
  return sets.map((set) => {
    const namespace = set.metadata.namespace ?? '';
    dependsOn.add(targets.namespace(namespace));
    return { key: keyOf(set), set, isAllowed: allowsNamespace(rule, metadata.namespace ?? '', namespace, view) };
  });
}

/** Reports whether a ListenerSet is accepted. The Gateway must permit the set, and the set must have a valid listener. */
export function isAccepted(
  { isAllowed }: AttachedSet,
  listeners: readonly Listener[],
  isValid: (listener: Listener) => boolean,
): boolean {
  return isAllowed && listeners.some(isValid);
}

/** Returns the listeners of a Gateway and its ListenerSets, keyed by parent. Parents without listeners have an empty list. */
export function listenersByParent(
  gateway: string,
  sets: readonly ListenerSet[],
  listeners: readonly Listener[],
): ReadonlyMap<string, readonly Listener[]> {
  const found = new Map<string, readonly Listener[]>([[gateway, []]]);
  for (const set of sets) found.set(listenerSetKey(keyOf(set)), []);
  for (const [parent, group] of Map.groupBy(listeners, (each) => each.parent)) found.set(parent, group);
  return found;
}
