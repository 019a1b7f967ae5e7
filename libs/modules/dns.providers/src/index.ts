/** DNS providers: namespace `dns.providers`. */
import type { Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
}
