/** Modules with deliberately wrong declarations. They verify that generated requests refute the resulting lint claims. */
import { flows, type Aspect, type HandlerFlow } from '@sluice/http-app';
import type { Register } from '@sluice/registry';

/** Modules with wrong declarations, by name. */
export const planted: Readonly<Record<string, Register>> = {
  'a handler that claims to end requests but passes them on': handler('vars', { passes: 'never', changes: ['vars'] }),
  'a handler that claims not to change the path': handler('rewrite', { passes: 'maybe', changes: ['method'] }),
  'a handler that claims not to change header fields': handler('headers', { passes: 'maybe', changes: [] }),
  'a matcher that claims to depend only on the method': matcher('header', ['method']),
};

function handler(name: string, flow: HandlerFlow): Register {
  const said = { ...flow, raises: [], responds: false };
  return (registry) =>
    void registry.contribute(flows, {
      name: 'planted',
      load: () => Promise.resolve({ handlers: { [name]: () => said } }),
    });
}

function matcher(name: string, reads: readonly Aspect[]): Register {
  return (registry) =>
    void registry.contribute(flows, {
      name: 'planted',
      load: () => Promise.resolve({ matchers: { [name]: { reads } } }),
    });
}
