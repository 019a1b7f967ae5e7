/**
 * `sluice file-server export-template`: prints the default template of directory listings. A customized template can be used with
 * `browse.template_file`.
 */
import { listingPageTemplate } from '@sluice/http.handlers';

export function exportTemplate(): number {
  process.stdout.write(listingPageTemplate());
  return 0;
}
