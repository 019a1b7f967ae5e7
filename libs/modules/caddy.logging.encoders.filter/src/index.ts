/** Filters of log fields: namespace `caddy.logging.encoders.filter`. */
import { references, type Registry } from '@sluice/registry';
import { cookieModule } from './cookie/index.ts';
import { deleteModule } from './delete/index.ts';
import { hashModule } from './hash/index.ts';
import { ipMaskModule } from './ip_mask/index.ts';
import { multiRegexpModule } from './multi_regexp/index.ts';
import { queryModule } from './query/index.ts';
import { regexpModule } from './regexp/index.ts';
import { renameModule } from './rename/index.ts';
import { replaceModule } from './replace/index.ts';
import { setCookieModule } from './set_cookie/index.ts';
import { registerInverses } from './inverses.ts';
import { registerSyntaxes } from './syntaxes.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(cookieModule);
  registry.add(deleteModule);
  registry.add(hashModule);
  registry.add(ipMaskModule);
  registry.add(multiRegexpModule);
  registry.add(queryModule);
  registry.add(regexpModule);
  registry.add(renameModule);
  registry.add(replaceModule);
  registry.add(setCookieModule);
  registerSyntaxes(registry);
  registerInverses(registry);
  registry.contribute(references, {
    name: '@sluice/caddy.logging.encoders.filter',
    load: async () => (await import('./reference.ts')).reference,
  });
}
