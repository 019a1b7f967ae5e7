/** The example modules in docs/guide/modules.md, as one package. Each file contains a different kind of module. */
import type { Registry } from '@sluice/module';
import { cookieModule } from './cookie.ts';
import { countVisitsModule } from './count-visits.ts';
import { eventFileModule } from './event-file.ts';
import { registerMaintenance } from './maintenance.ts';
import { prefixModule } from './prefix-storage.ts';
import { stampModule } from './stamp.ts';

export function register(registry: Registry): void {
  registry.add(cookieModule);
  registry.add(countVisitsModule);
  registry.add(eventFileModule);
  registry.add(prefixModule);
  registry.add(stampModule);
  registerMaintenance(registry);
}
