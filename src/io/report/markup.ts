// Text and numbers in markup that is valid as HTML and as XML.

/** The text as content or attribute of HTML or XML: markup is escaped, characters that XML forbids become U+FFFD. */
export function escapeMarkup(text: string): string {
  return replaceForbidden(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** A coordinate with at most `decimals` digits after the point and no trailing zeros; never "-0" or an exponent. */
export function formatCoordinate(value: number, decimals = 1): string {
  const text = value.toFixed(decimals);
  const trimmed = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return trimmed === '-0' ? '0' : trimmed;
}

/** Control characters other than tab and line ends, lone surrogates, U+FFFE and U+FFFF. */
function replaceForbidden(text: string): string {
  let kept = '';
  for (const character of text) {
    const code = character.codePointAt(0)!;
    const control = code < 0x20 && code !== 0x9 && code !== 0xa && code !== 0xd;
    const surrogate = code >= 0xd800 && code <= 0xdfff;
    kept += control || surrogate || code === 0xfffe || code === 0xffff ? '\ufffd' : character;
  }
  return kept;
}
