/** Components: what the reconciler keeps of each provisioned module, structure and list. */
import type { Json } from '@sluice/base';
import type { Disposer, Token } from '@sluice/registry';

/** What made a component: a module's descriptor or the provision function of a structure. */
export type ComponentKind = object;

const separator = '\u0000';

/** The key of a position under a parent: `['routes', 3]`. Segments may contain anything that a JSON key may. */
export function positionKey(at: readonly (string | number)[]): string {
  return at.join(separator);
}

/** The segments of a position key. */
export function positionOf(key: string): string[] {
  return key === '' ? [] : key.split(separator);
}

/** A hook of a module, and where in the document the module stands. */
export interface PlacedHook<R> {
  readonly run: () => R;
  readonly where: string;
  /** The module that it belongs to, for errors. */
  readonly moduleId: string;
}

/** What is known of a component before it is provisioned. */
export interface ComponentOrigin {
  /** Position under its parent; see {@link positionKey}. */
  readonly key: string;
  readonly kind: ComponentKind;
  /** The configuration node it is made of; the very same node keeps it. */
  readonly node: Json;
  /** Epoch from which on requests can use it. */
  readonly since: number;
  /** Module id for reports, or `null` for a structure. */
  readonly moduleId: string | null;
  /** Who disposes it; `null` for apps, sections, and elements of a list, which has them by itself. */
  readonly owner: Component | null;
}

/** A provisioned part of the configuration. Its fields are written while it is built and read at the next change. */
export class Component {
  readonly key: string;
  readonly kind: ComponentKind;
  readonly node: Json;
  readonly since: number;
  readonly moduleId: string | null;
  instance: unknown = null;
  /** Moves to the replacement of its parent when it is kept. */
  owner: Component | null;
  readonly children = new Map<string, Component>();
  /** Everything acquired, in order: disposers and child components. */
  readonly resources: (Disposer | Component)[] = [];
  /** Awaited before the swap that drops it without a successor in its place. */
  readonly leaveHooks: PlacedHook<Promise<void>>[] = [];
  /** Called when it is dropped from the configuration, before its last request is done. */
  readonly retireHooks: (() => void)[] = [];
  /** What it and its children asked for outside of it; if any of that changes, it is made again. */
  readonly needs = new Map<Token<unknown>, unknown>();
  /** What it provides for its children. */
  readonly provided = new Map<Token<unknown>, unknown>();

  constructor({ key, kind, node, since, moduleId, owner }: ComponentOrigin) {
    this.key = key;
    this.kind = kind;
    this.node = node;
    this.since = since;
    this.moduleId = moduleId;
    this.owner = owner;
  }

  /** Takes a child in, and with it what the child needs from outside of this component. */
  adopt(child: Component): void {
    this.children.set(child.key, child);
    this.resources.push(child);
    for (const [token, value] of child.needs) if (!this.provided.has(token)) this.needs.set(token, value);
  }

  /** The components whose disposal goes with this one's, in the order they were acquired. */
  *ownedChildren(): IterableIterator<Component> {
    for (const resource of this.resources) if (resource instanceof Component && resource.owner === this) yield resource;
  }
}

/** The component of an array of like elements: it is compared with its predecessor by splice, not by element. */
export class ListComponent extends Component {
  elements: readonly Component[] = [];
  instances: readonly unknown[] = [];
  /** Elements that the list which replaced this one did not take over; `null` while nothing replaced it. */
  departed: readonly Component[] | null = null;

  override *ownedChildren(): IterableIterator<Component> {
    yield* this.departed ?? this.elements;
  }
}

/** One thing to release, and the first epoch whose requests may use it. */
export interface Disposal {
  readonly dispose: Disposer;
  readonly since: number;
}

/** All that goes with a component, last acquired first; children that another component took over stay. */
export function disposalsOf(component: Component, into: Disposal[] = []): Disposal[] {
  if (component instanceof ListComponent) {
    const elements = [...component.ownedChildren()];
    for (let i = elements.length - 1; i >= 0; i--) disposalsOf(elements[i] as Component, into);
    return into;
  }
  for (let i = component.resources.length - 1; i >= 0; i--) {
    const resource = component.resources[i];
    if (typeof resource === 'function') into.push({ dispose: resource, since: component.since });
    else if (resource !== undefined && resource.owner === component) disposalsOf(resource, into);
  }
  return into;
}

/** Disposes of components that no request can use, last first. */
export async function disposeNow(components: readonly Component[], onError: (error: unknown) => void): Promise<void> {
  for (const component of components.toReversed()) {
    for (const { dispose } of disposalsOf(component)) {
      try {
        await dispose();
      } catch (error) {
        onError(error);
      }
    }
  }
}

/** The leave hooks of what a replacement drops and does not put anything in the place of. */
export function leaveHooksOf(before: Component, after: Component | undefined): PlacedHook<Promise<void>>[] {
  if (before === after || before instanceof ListComponent) return [];
  const own = after === undefined ? before.leaveHooks : [];
  return [...own, ...[...before.children].flatMap(([key, child]) => leaveHooksOf(child, after?.children.get(key)))];
}

/** Runs the retire hooks of a component and of all that goes with it. */
export function retireComponent(component: Component, onError: (error: unknown) => void): void {
  for (const child of component.ownedChildren()) retireComponent(child, onError);
  for (const hook of component.retireHooks) {
    try {
      hook();
    } catch (error) {
      onError(error);
    }
  }
}
