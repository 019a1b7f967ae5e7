/** `br` */
import { named } from '@sluice/caddyfile';

export const br = named({ within: [':8080', 'encode'], example: 'br\ngzip' });
