/** `sluice file-server export-template`: the page of listings, to be changed and named as `browse.template_file`. */
import { listingPageTemplate } from '@sluice/http.handlers';

/** Prints the template. */
export function exportTemplate(): number {
  process.stdout.write(listingPageTemplate());
  return 0;
}
