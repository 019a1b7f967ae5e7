/** Connection settings that all connections of an origin share. */
import type { HeadStyle } from './request-head.ts';
import type { ClientSettings } from './settings.ts';

export interface OriginSettings extends ClientSettings {
  readonly style: HeadStyle;
}
