/**
 * Components that a build keeps from the previous generation. Until the commit, the previous generation still owns
 * them, because the build may be aborted.
 */
import type { Component, ListComponent } from './component.ts';

/** The ownership changes to apply at the commit. */
export class Handover {
  readonly #kept: [component: Component, owner: Component][] = [];
  readonly #lists: ListComponent[] = [];
  readonly #departures: [list: ListComponent, departed: readonly Component[]][] = [];

  keep(component: Component, parent: Component): void {
    this.#kept.push([component, parent]);
    parent.adopt(component);
  }

  /** Records that a list was filled. `made` contains the new elements, which are the only ones that the list owns until the commit. */
  filled(list: ListComponent, made: readonly Component[]): void {
    list.departed = made;
    this.#lists.push(list);
  }

  /** Records that a list was replaced, and which elements the new list did not reuse. */
  replaced(list: ListComponent, departed: readonly Component[]): void {
    this.#departures.push([list, departed]);
  }

  commit(): void {
    for (const [component, owner] of this.#kept) component.owner = owner;
    for (const [list, departed] of this.#departures) list.departed = departed;
    for (const list of this.#lists) list.departed = null;
  }
}
