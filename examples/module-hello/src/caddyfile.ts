/** `hello [matcher] [NAME] { name NAME }`: the directive for the handler. */
import type { GlobalOption } from '@sluice/module';
import { alias, compact, handler, text } from '@sluice/module/directive';

export const hello = handler(
  'hello',
  {
    line: text('[<name>]', { field: 'name', takes: 'optional' }),
    block: { name: alias(text('<name>')) },
    unknown: "unrecognized subdirective '%', expected name",
    example: 'hello Ada',
  },
  // The default name is the global option `hello_name`.
  { finish: (fields, { options }) => compact({ name: options.get<string>('hello_name'), ...fields }) },
);

/** `hello_name NAME`, a global option. */
export const helloName: GlobalOption = (reader) => reader.onlyArgument();
