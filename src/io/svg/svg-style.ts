// What an element's style says about its geometry: whether it is shown, filled, and by which rule. Attributes, `style`
// and the simple selectors of style sheets (tag, .class, #id) count; colors and widths do not.
import type { XmlElement } from '../xml/xml-tree.js';

/** The style of an element, after inheritance. */
export interface SvgStyle {
  readonly filled: boolean;
  readonly fillRule: 'nonzero' | 'evenodd';
  /** Whether the stroke is explicitly `none`. */
  readonly unstroked: boolean;
  readonly hidden: boolean;
}

export const INITIAL_STYLE: SvgStyle = { filled: true, fillRule: 'nonzero', unstroked: false, hidden: false };

interface Rule {
  readonly tag: string;
  readonly id: string;
  readonly classes: readonly string[];
  readonly specificity: number;
  readonly declarations: ReadonlyMap<string, string>;
}

const SELECTOR = /^(\*|[A-Za-z][\w-]*)?((?:[.#][\w-]+)*)$/;

/** The rules of a drawing's style sheets. */
export class SvgStyleSheet {
  readonly #rules: Rule[] = [];
  /** Selectors with combinators, attributes or pseudo-classes, which are not applied. */
  readonly unread: string[] = [];

  add(text: string): void {
    const plain = text.replace(/\/\*[\s\S]*?\*\//g, ' ');
    for (const block of plain.split('}')) {
      const at = block.lastIndexOf('{');
      if (at < 0) continue;
      const declarations = parseDeclarations(block.slice(at + 1));
      for (const selector of block.slice(block.lastIndexOf('{', at - 1) + 1, at).split(',')) {
        this.#addRule(selector.trim(), declarations);
      }
    }
  }

  #addRule(selector: string, declarations: ReadonlyMap<string, string>): void {
    const match = SELECTOR.exec(selector);
    if (match === null || selector === '') {
      if (!selector.startsWith('@')) this.unread.push(selector);
      return;
    }
    const parts = match[2].match(/[.#][\w-]+/g) ?? [];
    const ids = parts.filter((part) => part.startsWith('#'));
    const classes = parts.filter((part) => part.startsWith('.')).map((part) => part.slice(1));
    const tag = match[1] === '*' ? '' : (match[1] ?? '');
    const specificity = 100 * ids.length + 10 * classes.length + (tag === '' ? 0 : 1);
    this.#rules.push({ tag, id: ids[0]?.slice(1) ?? '', classes, specificity, declarations });
  }

  /** A property of the element: `style` before style sheets before attributes. */
  #property(element: XmlElement, own: ReadonlyMap<string, string>, name: string): string | undefined {
    const direct = own.get(name);
    if (direct !== undefined) return direct;
    let best = element.attributes[name]?.trim();
    if (this.#rules.length === 0) return best;
    let specificity = -1;
    const classes = (element.attributes.class ?? '').split(/\s+/);
    for (const rule of this.#rules) {
      const value = rule.declarations.get(name);
      if (value === undefined || rule.specificity < specificity) continue;
      if (rule.tag !== '' && rule.tag !== element.name) continue;
      if (rule.id !== '' && rule.id !== element.attributes.id) continue;
      if (!rule.classes.every((each) => classes.includes(each))) continue;
      best = value;
      specificity = rule.specificity;
    }
    return best;
  }

  /** The style of the element inside one of the style `parent`; null if it and all inside it are not displayed. */
  styleOf(element: XmlElement, parent: SvgStyle): SvgStyle | null {
    const own = parseDeclarations(element.attributes.style ?? '');
    const get = (name: string): string | undefined => {
      const value = this.#property(element, own, name);
      return value === 'inherit' ? undefined : value;
    };
    if (get('display') === 'none') return null;
    const fill = get('fill');
    const rule = get('fill-rule');
    const stroke = get('stroke');
    const visibility = get('visibility');
    return {
      filled: fill === undefined ? parent.filled : fill !== 'none',
      fillRule: rule === 'evenodd' || rule === 'nonzero' ? rule : parent.fillRule,
      unstroked: stroke === undefined ? parent.unstroked : stroke === 'none',
      hidden: visibility === undefined ? parent.hidden : visibility === 'hidden' || visibility === 'collapse',
    };
  }
}

function parseDeclarations(text: string): ReadonlyMap<string, string> {
  const declarations = new Map<string, string>();
  if (text === '') return declarations;
  for (const part of text.split(';')) {
    const at = part.indexOf(':');
    if (at < 0) continue;
    const value = part.slice(at + 1).replace(/!\s*important\s*$/, '');
    declarations.set(part.slice(0, at).trim().toLowerCase(), value.trim());
  }
  return declarations;
}
