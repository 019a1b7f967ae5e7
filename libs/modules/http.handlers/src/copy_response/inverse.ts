/** A copied response as `copy_response`. */
import { words, type WriteDirective } from '@sluice/caddyfile';

/** `copy_response [STATUS]` */
export const copyResponse: WriteDirective = (handler) => ({ words: words(handler['status_code']) });
