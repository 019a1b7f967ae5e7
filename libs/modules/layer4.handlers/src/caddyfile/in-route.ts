/** Examples of handlers in a route. */
import type { Grammar } from '@sluice/caddyfile';

const within = ['', 'layer4', ':443', 'route'];

/** Returns a syntax whose example is a handler in a route. */
export const inRoute = (example: string, grammar: Grammar = {}): Grammar => ({ ...grammar, within, example });
