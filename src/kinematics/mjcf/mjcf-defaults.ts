// Default classes of MJCF: an element has its own attributes, those of its class, and those of the classes around that.
import type { XmlElement } from '../../io/xml/xml-tree.js';

type Attributes = Readonly<Record<string, string>>;

/** The class of what names none. */
const MAIN = 'main';

/** The attributes of elements with those of their classes. */
export class MjcfDefaults {
  /** By class: the attributes of each kind of element. */
  readonly #classes = new Map<string, ReadonlyMap<string, Attributes>>();

  /** @param roots the `<default>` elements of a file. */
  constructor(roots: readonly XmlElement[]) {
    for (const root of roots) this.#read(root, this.#classes.get(MAIN) ?? new Map(), root.attributes.class ?? MAIN);
    if (!this.#classes.has(MAIN)) this.#classes.set(MAIN, new Map());
  }

  /** The attributes of an element. @param childClass that of the body around it. */
  of(element: XmlElement, childClass: string | undefined): Attributes {
    const name = element.attributes.class ?? childClass ?? MAIN;
    const known = this.#classes.get(name) ?? element.fail('file-format', `the class "${name}" is not in <default>`);
    return { ...known.get(element.name), ...element.attributes };
  }

  #read(element: XmlElement, outer: ReadonlyMap<string, Attributes>, name: string): void {
    const own = new Map(outer);
    for (const child of element.children) {
      if (child.name !== 'default') own.set(child.name, { ...own.get(child.name), ...child.attributes });
    }
    this.#classes.set(name, own);
    for (const child of element.all('default')) this.#read(child, own, child.attribute('class'));
  }
}
