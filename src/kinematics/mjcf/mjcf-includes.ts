// Files that an MJCF file includes: what stands in their root stands in place of the element. As in MuJoCo a file is included
// once, so that files cannot include themselves or multiply.
import { XmlElement } from '../../io/xml/xml-tree.js';

/** Replaces every `<include>` by what its file has. @param load reads the root of a file. */
export async function collectIncludes(
  element: XmlElement,
  load: (file: string) => Promise<XmlElement>,
  seen: Set<string> = new Set(),
): Promise<XmlElement> {
  const copy = new XmlElement(element.name, element.attributes, element.line);
  copy.text = element.text;
  for (const child of element.children) {
    if (child.name !== 'include') {
      copy.children.push(await collectIncludes(child, load, seen));
      continue;
    }
    const file = child.attribute('file');
    if (seen.has(file)) child.fail('file-format', `"${file}" is included twice; include it once`);
    seen.add(file);
    copy.children.push(...(await collectIncludes(await load(file), load, seen)).children);
  }
  return copy;
}
