/** Components: the reconciler's records of provisioned modules, structures and lists. */
import { ChunkedList, type Json } from '@sluice/base';
import type { Disposer, RetireReason, Token } from '@sluice/registry';

/** Identifies what a component was created from: a module descriptor, or the provision function of a structure. */
export type ComponentKind = object;

const separator = '\u0000';

/** Returns the key for a position below a parent, such as `['routes', 3]`. Segments may contain any character that JSON keys may contain. */
export function positionKey(at: readonly (string | number)[]): string {
  const key = at.join(separator);
  const known = knownKeys.get(key);
  if (known !== undefined) return known;
  if (knownKeys.size < maxKnownKeys) knownKeys.set(key, key);
  return key;
}

/** Cache of frequent keys. Components share these strings, because the same few keys occur in every route. */
const knownKeys = new Map<string, string>();
const maxKnownKeys = 1000;

/** Splits a key from {@link positionKey} into its segments. */
export function positionOf(key: string): string[] {
  return key === '' ? [] : key.split(separator);
}

type RetireHook = (reason: RetireReason) => void;

/** A hook of a module, with the module's configuration path. */
export interface PlacedHook<R, A extends readonly unknown[] = []> {
  readonly run: (...args: A) => R;
  readonly where: string;
  readonly moduleId: string;
}

/** Component properties that are known before provisioning. */
export interface ComponentOrigin {
  /** Position below the parent component; see {@link positionKey}. */
  readonly key: string;
  readonly kind: ComponentKind;
  /** Configuration node. The component is kept while the node remains the same object. */
  readonly node: Json;
  /** First epoch whose requests may use the component. */
  readonly since: number;
  /** Module ID for reports; `null` for a structure. */
  readonly moduleId: string | null;
  /** Component that disposes of this component. `null` for apps, sections and list elements. A list disposes of its elements. */
  readonly owner: Component | null;
}

/**
 * Linked list of the values that a component provides, most recent first. Most components provide at most one value. A map would take four
 * times as much memory for one value.
 */
export interface Provided {
  readonly token: Token<unknown>;
  readonly value: unknown;
  readonly others: Provided | null;
}

/** Finds the provided value of a token. Returns `null` if it is not provided. */
export function providedIn(provided: Provided | null, token: Token<unknown>): Provided | null {
  for (let entry = provided; entry !== null; entry = entry.others) if (entry.token === token) return entry;
  return null;
}

/** The most recently created component of each kind. */
const lastOfKind = new WeakMap<ComponentKind, WeakRef<Component>>();

/** Makes a component share the dependency table of the last component of its kind, if both tables are equal. */
export function shareNeedsWithKind(component: Component): void {
  if (component.needs.size === 0) return;
  const last = lastOfKind.get(component.kind)?.deref();
  if (last === undefined || !component.shareNeeds(last)) lastOfKind.set(component.kind, new WeakRef(component));
}

/** Shared empty array, because most components have no hooks. */
const nothing: readonly never[] = Object.freeze([]);
const noValues = new Map<never, never>();

/** Maximum number of children for which a linear search is as fast as a map lookup. */
const fewChildren = 8;

/**
 * A provisioned part of the configuration. It is modified while it is built, and read during the next change.
 *
 * Each thread has one component per configured module. To save memory, lists and tables are created only if they are not empty.
 */
export class Component {
  readonly key: string;
  readonly kind: ComponentKind;
  readonly node: Json;
  readonly since: number;
  readonly moduleId: string | null;
  instance: unknown = null;
  /** Owner of the component. If the component is kept, the replacement of its parent becomes the owner. */
  owner: Component | null;
  #resources: readonly (Disposer | Component)[] = nothing;
  #leaveHooks: readonly PlacedHook<Promise<void>>[] = nothing;
  #retireHooks: readonly RetireHook[] = nothing;
  #needs: Map<Token<unknown>, unknown> = noValues;
  /** True if other components share the dependency table. The table must be copied before a modification. */
  #sharesNeeds = true;
  #provided: Provided | null = null;
  /** Children by key. Used only for components with many children. */
  #byKey: Map<string, Component> | null = null;

  constructor({ key, kind, node, since, moduleId, owner }: ComponentOrigin) {
    this.key = key;
    this.kind = kind;
    this.node = node;
    this.since = since;
    this.moduleId = moduleId;
    this.owner = owner;
  }

  /** Acquired resources, in order of acquisition: disposers and child components. */
  get resources(): readonly (Disposer | Component)[] {
    return this.#resources;
  }

  /** Hooks to await before activation if the component is dropped without a replacement. */
  get leaveHooks(): readonly PlacedHook<Promise<void>>[] {
    return this.#leaveHooks;
  }

  /** Hooks to call when the component is dropped, before its last request completes. */
  get retireHooks(): readonly RetireHook[] {
    return this.#retireHooks;
  }

  /** External dependencies of the component and its children. If a dependency changes, the component is created again. */
  get needs(): ReadonlyMap<Token<unknown>, unknown> {
    return this.#needs;
  }

  /** Values that the component provides to its children; `null` if there are none. */
  get provided(): Provided | null {
    return this.#provided;
  }

  /** Iterates over the children in order of acquisition. */
  *children(): IterableIterator<Component> {
    for (const resource of this.#resources) if (resource instanceof Component) yield resource;
  }

  /** Returns the child at a position. If a host has loaded several children there, returns the last one. */
  child(key: string): Component | undefined {
    if (this.#resources.length <= fewChildren)
      return this.#resources.findLast((resource): resource is Component => isChild(resource, key));
    this.#byKey ??= new Map([...this.children()].map((child) => [child.key, child]));
    return this.#byKey.get(key);
  }

  adopt(child: Component): Component {
    this.acquired(child);
    this.#byKey?.set(child.key, child);
    for (const [token, value] of child.needs) if (providedIn(this.#provided, token) === null) this.need(token, value);
    return child;
  }

  acquired(resource: Disposer | Component): void {
    this.#resources = appended(this.#resources, resource);
  }

  /** Records a dependency. */
  need(token: Token<unknown>, value: unknown): void {
    if (this.#needs.has(token) && this.#needs.get(token) === value) return;
    if (this.#sharesNeeds) this.#needs = new Map(this.#needs);
    this.#sharesNeeds = false;
    this.#needs.set(token, value);
  }

  /**
   * Shares the dependency table of another component if both tables are equal. Returns true if they are equal. Most elements of a list, and
   * most modules of a kind, have the same dependencies.
   */
  shareNeeds(other: Component): boolean {
    if (this.#needs === other.#needs) return true;
    if (this.#needs.size !== other.#needs.size) return false;
    for (const [token, value] of this.#needs) if (!other.#has(token, value)) return false;
    this.#needs = other.#needs;
    this.#sharesNeeds = other.#sharesNeeds = true;
    return true;
  }

  provide(token: Token<unknown>, value: unknown): void {
    this.#provided = { token, value, others: this.#provided };
  }

  onLeave(hook: PlacedHook<Promise<void>>): void {
    this.#leaveHooks = appended(this.#leaveHooks, hook);
  }

  onRetire(hook: RetireHook): void {
    this.#retireHooks = appended(this.#retireHooks, hook);
  }

  /** Iterates over the components that are disposed of with this component, in order of acquisition. */
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

/**
 * Returns an array with an additional element. Small arrays are allocated with their exact length, because a growing array reserves space
 * for sixteen more elements.
 */
function appended<T>(array: readonly T[], element: T): readonly T[] {
  if (array.length < fewChildren) return array.concat([element]);
  (array as T[]).push(element);
  return array;
}

/** Component for a list of similar elements. The difference between a list and its replacement is a single splice. */
export class ListComponent extends Component {
  elements: ChunkedList<Component> = ChunkedList.of<Component>([]);
  instances: ChunkedList<unknown> = ChunkedList.of<unknown>([]);
  /** Elements that the replacement list did not reuse; `null` until the list is replaced. */
  departed: readonly Component[] | null = null;

  override *ownedChildren(): IterableIterator<Component> {
    yield* this.departed ?? this.elements;
  }
}

/** Reports whether all dependencies of a component are unchanged. `now` returns the current value of a token. */
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
