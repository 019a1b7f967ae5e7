/** Components: what the reconciler keeps of each provisioned module, structure and list. */
import { ChunkedList, readableError, SluiceError, within, type Json } from '@sluice/base';
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

/** What most components have none of; those that have some have their own. */
const nothing: readonly never[] = Object.freeze([]);
const noValues = new Map<never, never>();

/** Among so few children one is found as fast without a table. */
const fewChildren = 8;

/**
 * A provisioned part of the configuration. Its fields are written while it is built and read at the next change. There is one
 * for each module of the configuration in each thread, so that it has lists and tables only where something is in them.
 */
export class Component {
  readonly key: string;
  readonly kind: ComponentKind;
  readonly node: Json;
  readonly since: number;
  readonly moduleId: string | null;
  instance: unknown = null;
  /** Moves to the replacement of its parent when it is kept. */
  owner: Component | null;
  #resources: readonly (Disposer | Component)[] = nothing;
  #leaveHooks: readonly PlacedHook<Promise<void>>[] = nothing;
  #retireHooks: readonly (() => void)[] = nothing;
  #needs: Map<Token<unknown>, unknown> = noValues;
  /** Whether others have the same table: it is copied before it is changed. */
  #sharesNeeds = true;
  #provided: ReadonlyMap<Token<unknown>, unknown> = noValues;
  /** Children by their keys, where they are many. */
  #byKey: Map<string, Component> | null = null;

  constructor({ key, kind, node, since, moduleId, owner }: ComponentOrigin) {
    this.key = key;
    this.kind = kind;
    this.node = node;
    this.since = since;
    this.moduleId = moduleId;
    this.owner = owner;
  }

  /** Everything acquired, in order: disposers and child components. */
  get resources(): readonly (Disposer | Component)[] {
    return this.#resources;
  }

  /** Awaited before the swap that drops it without a successor in its place. */
  get leaveHooks(): readonly PlacedHook<Promise<void>>[] {
    return this.#leaveHooks;
  }

  /** Called when it is dropped from the configuration, before its last request is done. */
  get retireHooks(): readonly (() => void)[] {
    return this.#retireHooks;
  }

  /** What it and its children asked for outside of it; if any of that changes, it is made again. */
  get needs(): ReadonlyMap<Token<unknown>, unknown> {
    return this.#needs;
  }

  /** What it provides for its children. */
  get provided(): ReadonlyMap<Token<unknown>, unknown> {
    return this.#provided;
  }

  /** The children, in the order they were acquired. */
  *children(): IterableIterator<Component> {
    for (const resource of this.#resources) if (resource instanceof Component) yield resource;
  }

  /** The child at a position; the last one, where a host has loaded several from there. */
  child(key: string): Component | undefined {
    if (this.#resources.length <= fewChildren)
      return this.#resources.findLast((resource): resource is Component => isChild(resource, key));
    this.#byKey ??= new Map([...this.children()].map((child) => [child.key, child]));
    return this.#byKey.get(key);
  }

  /** Takes a child in, and with it what the child needs from outside of this component. */
  adopt(child: Component): Component {
    this.acquired(child);
    this.#byKey?.set(child.key, child);
    for (const [token, value] of child.needs) if (!this.#provided.has(token)) this.need(token, value);
    return child;
  }

  /** Notes what is to be released with it. */
  acquired(resource: Disposer | Component): void {
    this.#resources = appended(this.#resources, resource);
  }

  /** Notes what it depends on. */
  need(token: Token<unknown>, value: unknown): void {
    if (this.#needs.has(token) && this.#needs.get(token) === value) return;
    if (this.#sharesNeeds) this.#needs = new Map(this.#needs);
    this.#sharesNeeds = false;
    this.#needs.set(token, value);
  }

  /** Has the same table of what it needs as another one, if that says the same. Most elements of a list need what their neighbours do. */
  shareNeeds(other: Component): void {
    if (
      this.#needs.size === other.#needs.size &&
      [...this.#needs].every(([token, value]) => other.#has(token, value))
    ) {
      this.#needs = other.#needs;
      this.#sharesNeeds = other.#sharesNeeds = true;
    }
  }

  provide(token: Token<unknown>, value: unknown): void {
    this.#provided = new Map(this.#provided).set(token, value);
  }

  onLeave(hook: PlacedHook<Promise<void>>): void {
    this.#leaveHooks = appended(this.#leaveHooks, hook);
  }

  onRetire(hook: () => void): void {
    this.#retireHooks = appended(this.#retireHooks, hook);
  }

  /** The components whose disposal goes with this one's, in the order they were acquired. */
  *ownedChildren(): IterableIterator<Component> {
    for (const child of this.children()) if (child.owner === this) yield child;
  }

  #has(token: Token<unknown>, value: unknown): boolean {
    return this.#needs.get(token) === value && this.#needs.has(token);
  }
}

function isChild(resource: Disposer | Component, key: string): resource is Component {
  return resource instanceof Component && resource.key === key;
}

/** With few elements an array that is as long as needed, since one that grows by itself has room for sixteen more. */
function appended<T>(array: readonly T[], element: T): readonly T[] {
  if (array.length < fewChildren) return array.concat([element]);
  (array as T[]).push(element);
  return array;
}

/** The component of an array of like elements: it is compared with its predecessor by splice, not by element. */
export class ListComponent extends Component {
  elements: ChunkedList<Component> = ChunkedList.of<Component>([]);
  instances: ChunkedList<unknown> = ChunkedList.of<unknown>([]);
  /** Elements that the list which replaced this one did not take over; `null` while nothing replaced it. */
  departed: readonly Component[] | null = null;

  override *ownedChildren(): IterableIterator<Component> {
    yield* this.departed ?? this.elements;
  }
}

/** Whether all that a component needs is still the very same; `now` says what it would get. */
export async function isUnchanged(
  component: Component,
  now: (token: Token<unknown>, value: unknown) => unknown,
): Promise<boolean> {
  for (const [token, value] of component.needs) {
    const found = now(token, value);
    if ((found instanceof Promise ? await found : found) !== value) return false;
  }
  return true;
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
  for (const component of components.toReversed())
    await disposeAll(
      disposalsOf(component).map(({ dispose }) => dispose),
      onError,
    );
}

/** Longest that the disposers after one wait for it, in milliseconds. */
export const disposalTimeout = 10_000;

/** Calls disposers, each after the one before, and goes on without one that takes longer than `bound` milliseconds. Never rejects. */
export async function disposeAll(
  disposers: readonly Disposer[],
  onError: (error: unknown) => void,
  bound: number = disposalTimeout,
): Promise<void> {
  for (const dispose of disposers) {
    try {
      const pending = dispose();
      if (pending !== undefined && !(await within(pending, bound)))
        throw new SluiceError('ERR_DISPOSAL', `disposal takes longer than ${bound} ms; no longer waiting`);
    } catch (error) {
      onError(readableError(error));
    }
  }
}

/** The leave hooks of what a replacement drops and does not put anything in the place of. */
export function leaveHooksOf(before: Component, after: Component | undefined): PlacedHook<Promise<void>>[] {
  if (before === after || before instanceof ListComponent) return [];
  const own = after === undefined ? before.leaveHooks : [];
  return [...own, ...[...before.children()].flatMap((child) => leaveHooksOf(child, after?.child(child.key)))];
}

/** Runs the retire hooks of a component and of all that goes with it. */
export function retireComponent(component: Component, onError: (error: unknown) => void): void {
  for (const child of component.ownedChildren()) retireComponent(child, onError);
  for (const hook of component.retireHooks) {
    try {
      hook();
    } catch (error) {
      onError(readableError(error));
    }
  }
}
