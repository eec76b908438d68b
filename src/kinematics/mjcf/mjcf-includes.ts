// Files that an MJCF file includes: what stands in their root stands in place of the element.
import { XmlElement } from '../../io/xml/xml-tree.js';

/** Chosen: files in files; more of them include each other. */
const MAX_DEPTH = 16;

/** Replaces every `<include>` by what its file has. @param load reads the root of a file. */
export async function collectIncludes(
  element: XmlElement,
  load: (file: string) => Promise<XmlElement>,
  depth = 0,
): Promise<XmlElement> {
  const copy = new XmlElement(element.name, element.attributes, element.line);
  copy.text = element.text;
  for (const child of element.children) {
    if (child.name !== 'include') {
      copy.children.push(await collectIncludes(child, load, depth));
      continue;
    }
    if (depth >= MAX_DEPTH) child.fail('too-large', `files include files ${MAX_DEPTH} deep; a file may include itself`);
    copy.children.push(...(await collectIncludes(await load(child.attribute('file')), load, depth + 1)).children);
  }
  return copy;
}
