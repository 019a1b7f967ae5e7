/** `hello_name NAME`, a global option. */
import type { GlobalOption } from '@sluice/module';

export const helloName: GlobalOption = (reader) => reader.onlyArgument();
