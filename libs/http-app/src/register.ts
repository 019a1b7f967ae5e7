/** What the server registers of this package. */
import type { Registry } from '@sluice/registry';
import { httpAppModule } from './app.ts';
import { placeholderCheck } from './checks/placeholder-check.ts';

/** Adds the app `http`. */
export function register(registry: Registry): void {
  registry.add(httpAppModule);
  registry.addCheck(placeholderCheck);
}
