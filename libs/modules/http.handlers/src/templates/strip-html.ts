/** Text without the tags of HTML. */

/** Removes what is between `<` and `>`. Tags within tags are counted; one that does not end takes the rest with it. */
export function stripHtml(text: string): string {
  let plain = '';
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text[i];
    if (unit === '<') {
      if (depth === 0) plain += text.slice(from, i);
      depth++;
    } else if (unit === '>' && depth > 0) {
      depth--;
      from = i + 1;
    }
  }
  return depth === 0 ? plain + text.slice(from) : plain;
}
