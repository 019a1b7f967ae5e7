/** Examples of handlers. */
import type { Grammar } from '@sluice/caddyfile';

const within = ['', 'layer4', ':443', 'route'];

/** A grammar with an example that is a handler in a route. */
export const inRoute = (example: string, grammar: Grammar = {}): Grammar => ({ ...grammar, within, example });
