/** Modules with deliberately wrong declarations. They verify that generated requests refute the resulting lint claims. */
import { flows, type Aspect, type HandlerFlow } from '@sluice/http-app';
import type { Register } from '@sluice/registry';

/** Modules with wrong declarations, by name. */
export const planted: Readonly<Record<string, Register>> = {
  'a handler that is said to end requests, and passes them on': handler('vars', { passes: 'never', changes: ['vars'] }),
  'a handler that is said to leave the path as it is': handler('rewrite', { passes: 'maybe', changes: ['method'] }),
  'a handler that is said to leave fields as they are': handler('headers', { passes: 'maybe', changes: [] }),
  'a matcher that is said to depend on the method alone': matcher('header', ['method']),
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
