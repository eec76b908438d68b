// XML as a tree, by a reader that the project does not write with.
import { SaxesParser } from 'saxes';

export interface XmlNode {
  name: string;
  attributes: Record<string, string>;
  children: XmlNode[];
  text: string;
}

/** By a reader that the project does not write with. */
export function parseXml(text: string): XmlNode {
  const stack: XmlNode[] = [{ name: '', attributes: {}, children: [], text: '' }];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const node = { name, attributes: attributes as Record<string, string>, children: [], text: '' };
    stack.at(-1)!.children.push(node);
    stack.push(node);
  });
  parser.on('text', (content) => {
    stack.at(-1)!.text += content;
  });
  parser.on('closetag', () => void stack.pop());
  parser.write(text).close();
  return stack[0].children[0];
}

export const childrenOf = ({ children }: XmlNode): string[] => children.map(({ name }) => name);
