export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** 1-based line of the fence. */
  readonly line: number;
}

/** The fenced code blocks of a Markdown text in the given languages. */
export function codeBlocks(markdown: string, languages: readonly string[]): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  for (const match of markdown.matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```/gm)) {
    if (!languages.includes(match[1])) continue;
    blocks.push({ language: match[1], code: match[2], line: markdown.slice(0, match.index).split('\n').length });
  }
  return blocks;
}
