/** Settings as the connections of an origin need them. */
import type { HeadStyle } from './request-head.ts';
import type { ClientSettings } from './settings.ts';

/** Settings as the connections of an origin need them. */
export interface OriginSettings extends ClientSettings {
  readonly style: HeadStyle;
}
