declare const instance: unique symbol;

/** A module namespace such as `http.handlers`. The host that loads modules from a namespace exports the namespace. */
export interface Namespace<T> {
  /** Dotted name of the namespace. Module IDs are `<id>.<name>`. Empty for the namespace of apps. */
  readonly id: string;
  readonly [instance]?: T;
}

export function namespace<T>(id: string): Namespace<T> {
  return Object.freeze({ id });
}

/** Key of a value for `Context.use`. Modules provide values to the modules they host, and threads provide values to all modules. */
export interface Token<T> {
  readonly name: string;
  readonly [instance]?: T;
}

/** Creates a token. Each call creates a different token, even for the same name. */
export function token<T>(name: string): Token<T> {
  return Object.freeze({ name });
}

/** Token of an app. It has the app's module name and the type that other apps use. */
export interface AppToken<T> extends Token<T> {
  readonly app: true;
}

/** Creates the token of the app called `name`. */
export function appToken<T>(name: string): AppToken<T> {
  return Object.freeze({ name, app: true as const });
}

/** Namespace of apps. The module ID of an app is the name of the app. */
export const apps: Namespace<object> = namespace<object>('');

/** Returns the ID of a module: `http.handlers` + `headers` → `http.handlers.headers`. */
export function moduleId(of: Namespace<unknown>, name: string): string {
  return of.id === '' ? name : `${of.id}.${name}`;
}
