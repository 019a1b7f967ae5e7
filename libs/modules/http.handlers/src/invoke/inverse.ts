/** A named route's use as `invoke`. */
import { words, type WriteDirective } from '@sluice/caddyfile';

/** `invoke NAME` */
export const invoke: WriteDirective = ({ name }) => ({ words: words(name) });
