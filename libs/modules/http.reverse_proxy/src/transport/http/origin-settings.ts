/** Connection settings of an origin. */
import type { HeadStyle } from './request-head.ts';
import type { ClientSettings } from './settings.ts';

export interface OriginSettings extends ClientSettings {
  readonly style: HeadStyle;
}
