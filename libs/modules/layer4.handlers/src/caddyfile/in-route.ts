/** Examples of layer 4 handlers within a route, for the Caddyfile reference. */
import type { Grammar } from '@sluice/caddyfile';

const within = ['', 'layer4', ':443', 'route'];

/** Returns a grammar whose example shows the handler in a route. */
export const inRoute = (example: string, grammar: Grammar = {}): Grammar => ({ ...grammar, within, example });
