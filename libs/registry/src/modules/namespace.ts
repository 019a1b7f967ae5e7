declare const instance: unique symbol;

/** A namespace such as `http.handlers`, exported by the host that loads its modules. */
export interface Namespace<T> {
  /** Dotted name; module ids are `<id>.<name>`. Empty for the namespace of the apps. */
  readonly id: string;
  readonly [instance]?: T;
}

export function namespace<T>(id: string): Namespace<T> {
  return Object.freeze({ id });
}

/**
 * Key of a value that a module provides to the modules it hosts, or that a thread provides to all; see `Context.use`.
 */
export interface Token<T> {
  readonly name: string;
  readonly [instance]?: T;
}

/** Creates a token. Two tokens with the same name are different. */
export function token<T>(name: string): Token<T> {
  return Object.freeze({ name });
}

/** Token of an app: its module name in the app namespace, and its type for other apps. */
export interface AppToken<T> extends Token<T> {
  readonly app: true;
}

/** Creates the token of the `name` app. */
export function appToken<T>(name: string): AppToken<T> {
  return Object.freeze({ name, app: true as const });
}

/** App namespace, in which IDs are names. */
export const apps: Namespace<object> = namespace<object>('');

/** Returns the id of a module: `http.handlers` + `headers` → `http.handlers.headers`. */
export function moduleId(of: Namespace<unknown>, name: string): string {
  return of.id === '' ? name : `${of.id}.${name}`;
}
