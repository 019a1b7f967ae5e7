/** Writes the handler as the directive `hello`, for `sluice convert`. */
import type { WriteDirective } from '@sluice/module';
import { words } from '@sluice/module/directive';

/** `hello [NAME]` */
export const hello: WriteDirective = ({ name }) => ({ words: words(name) });
