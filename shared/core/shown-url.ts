/** A URL for error messages: without the parts before an @ and after a ? or #, which may be secrets, even in an invalid URL. */
export function shownUrl(text: string): string {
  const [shown = ''] = text.replace(/^([a-z]*:\/\/)?.*@/i, '$1…@').split(/[?#]/);
  return JSON.stringify(shown.slice(0, 80));
}
