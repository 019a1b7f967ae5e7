/** Releases components: runs leave hooks and retire hooks, and releases acquired resources. */
import { readableError, SluiceError, within } from '@sluice/base';
import type { Disposer, RetireReason } from '@sluice/registry';
import { ListComponent, type Component, type PlacedHook } from './component.ts';

/** A resource to release, and the first epoch whose requests may use it. */
export interface Disposal {
  readonly dispose: Disposer;
  readonly since: number;
}

/** Returns everything to dispose of with a component, last acquired first. Omits children that another component reuses. */
export function disposalsOf(component: Component, into: Disposal[] = []): Disposal[] {
  if (component instanceof ListComponent) {
    for (const element of [...component.ownedChildren()].reverse()) disposalsOf(element, into);
    return into;
  }
  for (let i = component.resources.length - 1; i >= 0; i--) {
    const resource = component.resources[i];
    if (typeof resource === 'function') into.push({ dispose: resource, since: component.since });
    else if (resource !== undefined && resource.owner === component) disposalsOf(resource, into);
  }
  return into;
}

export async function disposeNow(components: readonly Component[], onError: (error: unknown) => void): Promise<void> {
  for (const component of components.toReversed())
    await disposeAll(
      disposalsOf(component).map(({ dispose }) => dispose),
      onError,
    );
}

/** Maximum time, in milliseconds, for which one disposer may delay the disposers after it. */
export const disposalTimeout = 10_000;

/** Calls disposers one after another. Continues if a disposer takes longer than `bound` milliseconds. Never rejects. */
export async function disposeAll(
  disposers: readonly Disposer[],
  onError: (error: unknown) => void,
  bound: number = disposalTimeout,
): Promise<void> {
  for (const dispose of disposers) {
    try {
      const pending = dispose();
      if (pending !== undefined && !(await within(pending, bound)))
        throw new SluiceError(
          'ERR_DISPOSAL',
          `disposal timed out after ${bound} ms; continuing without waiting for it`,
        );
    } catch (error) {
      onError(readableError(error));
    }
  }
}

/** Returns the leave hooks of components that are dropped without a replacement. */
export function leaveHooksOf(before: Component, after: Component | undefined): PlacedHook<Promise<void>>[] {
  if (before === after || before instanceof ListComponent) return [];
  const own = after === undefined ? before.leaveHooks : [];
  return [...own, ...[...before.children()].flatMap((child) => leaveHooksOf(child, after?.child(child.key)))];
}

/** Runs the retire hooks of a component and of all components that are disposed of with it. */
export function retireComponent(component: Component, reason: RetireReason, onError: (error: unknown) => void): void {
  for (const child of component.ownedChildren()) retireComponent(child, reason, onError);
  for (const hook of component.retireHooks) {
    try {
      hook(reason);
    } catch (error) {
      onError(readableError(error));
    }
  }
}
