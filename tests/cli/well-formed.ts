/** What is wrong with markup read as XML, or null: tags that do not nest, attributes without quotes, bare & or <. */
export function findMarkupFault(markup: string): string | null {
  const text = markup.replace(/^<!doctype html>\s*/, '');
  const token = /<(\/?)([A-Za-z][\w-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/y;
  const open: string[] = [];
  let rooted = false;
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('<', at);
    const content = text.slice(at, next < 0 ? text.length : next);
    const bare = /&(?!(?:amp|lt|gt|quot|#39);)/.exec(content);
    if (bare !== null) return `a bare & in "${content.slice(bare.index, bare.index + 30)}"`;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids.
    if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(content)) return 'a control character';
    if (open.length === 0 && content.trim() !== '') return `text outside the root: "${content.trim().slice(0, 30)}"`;
    if (next < 0) break;
    if (text.startsWith('<![CDATA[', next)) {
      const end = text.indexOf(']]>', next);
      if (end < 0 || open.length === 0) return 'a CDATA section that does not end, or outside the root';
      at = end + 3;
      continue;
    }
    token.lastIndex = next;
    const match = token.exec(text);
    if (match === null) return `no tag: "${text.slice(next, next + 60)}"`;
    const [whole, closing, name, attributes, empty] = match;
    const names = [...attributes.matchAll(/([\w:-]+)="/g)].map((attribute) => attribute[1]);
    if (new Set(names).size !== names.length) return `an attribute twice in ${whole}`;
    if (closing === '') {
      if (open.length === 0 && rooted) return 'two roots';
      rooted = true;
      if (empty === '') open.push(name);
    } else if (open.pop() !== name) return `</${name}> closes another element`;
    at = next + whole.length;
  }
  return open.length === 0 ? (rooted ? null : 'no element') : `<${open[open.length - 1]}> is not closed`;
}
