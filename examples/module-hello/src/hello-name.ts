/** Global Caddyfile option `hello_name NAME`. */
import type { GlobalOption } from '@sluice/module';

export const helloName: GlobalOption = (reader) => reader.onlyArgument();
