/** The app `tls`. */
import type { Registry } from '@sluice/registry';
import { tlsAppModule } from './app.ts';

export { tlsApp, tlsAppModule, type TlsApp } from './app.ts';

/** Adds the app. */
export function register(registry: Registry): void {
  registry.add(tlsAppModule);
}
