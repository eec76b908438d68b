// Reads SVG drawings: walks the tree of elements with their transforms, viewports and styles, and collects the shapes.
// Scripts are never run and nothing is fetched. Loaded only when a drawing is read.
import type { NearfieldErrorCode } from '../../core/errors.js';
import { reportProgress } from '../../core/progress.js';
import type { SvgDrawing, SvgShape } from '../drawing/svg-drawing.js';
import type { ReadOptions } from '../model/read-options.js';
import { parseXml, type XmlElement } from '../xml/xml-tree.js';
import { addBasicShape } from './basic-shapes.js';
import { drawingBounds } from './drawing-bounds.js';
import { addPathData } from './path-data.js';
import { ShapeBuilder } from './shape-builder.js';
import { absoluteLength, lengthOf, MILLIMETERS_PER_PIXEL, type Viewport } from './svg-length.js';
import { IDENTITY, multiply, parseTransform, type SvgMatrix, viewBoxMatrix } from './svg-matrix.js';
import { SvgScanner } from './svg-scanner.js';
import { INITIAL_STYLE, type SvgStyle, SvgStyleSheet } from './svg-style.js';

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/** Chosen: levels of `use` inside what a `use` places. */
const MAX_USES = 32;

/** Chosen: elements drawn by `use`. A few lines of nested ones can ask for billions. */
const MAX_USED = 2 ** 17;

/** Chosen: curves of a drawing; a small file can ask for more by `use`. */
const MAX_CURVES = 2 ** 22;

/** Elements that paint what this reader does not read; others that are not listed draw nothing. */
const LEFT_OUT = new Set(['text', 'image', 'foreignObject', 'script']);

interface Place {
  readonly matrix: SvgMatrix;
  readonly viewport: Viewport;
  readonly style: SvgStyle;
  /** The `use` elements on the way here. */
  readonly uses: readonly XmlElement[];
}

/** The drawing in a file. */
export function parseSvg(file: string | Uint8Array, options: ReadOptions): SvgDrawing {
  const root = parseXml(file, options, { entities: true });
  if (root.name !== 'svg') root.fail('file-format', `the root element is <${root.name}>; a drawing has <svg>`);
  return new SvgReader(root, options).read();
}

class SvgReader {
  readonly #root: XmlElement;
  readonly #options: ReadOptions;
  readonly #ids = new Map<string, XmlElement>();
  readonly #sheet = new SvgStyleSheet();
  readonly #shapes: SvgShape[] = [];
  /** Warnings with how often each is due. */
  readonly #warnings = new Map<string, number>();
  #elements = 0;
  #used = 0;
  #curves = 0;

  constructor(root: XmlElement, options: ReadOptions) {
    this.#root = root;
    this.#options = options;
    this.#index(root);
    for (const selector of this.#sheet.unread) this.#warn(`The style rule for "${selector}" is not applied`);
  }

  read(): SvgDrawing {
    const root = this.#root;
    const viewBox = this.#viewBox(root);
    const width = absoluteLength(root, 'width');
    const height = absoluteLength(root, 'height');
    const viewport: Viewport =
      viewBox === null ? [width ?? Number.NaN, height ?? Number.NaN] : [viewBox[2], viewBox[3]];
    const style = this.#sheet.styleOf(root, INITIAL_STYLE);
    // The root's own transform places it in a page, as its width and height do.
    if (style !== null) this.#children(root, { matrix: IDENTITY, viewport, style, uses: [] });
    if (this.#shapes.length === 0) {
      const left = [...this.#warnings.keys()].join('; ');
      root.fail('file-format', `the drawing shows no shape${left === '' ? '' : ` (${left})`}; draw at least one`);
    }
    return {
      box:
        viewBox !== null
          ? [viewBox[0], viewBox[1], viewBox[0] + viewBox[2], viewBox[1] + viewBox[3]]
          : width !== null && height !== null
            ? [0, 0, width, height]
            : drawingBounds(this.#shapes),
      millimetersPerUnit: this.#unit(viewBox, width, height),
      shapes: this.#shapes,
      warnings: [...this.#warnings].map(([text, times]) => (times > 1 ? `${text} (${times} times).` : `${text}.`)),
    };
  }

  /** Notes ids and style sheets. Bounded by the depth of the tree, which the XML reader limits. */
  #index(element: XmlElement): void {
    const { id } = element.attributes;
    if (id !== undefined && !this.#ids.has(id)) this.#ids.set(id, element);
    if (element.name === 'style') this.#sheet.add(element.text);
    for (const child of element.children) this.#index(child);
  }

  #children(element: XmlElement, place: Place): void {
    if (element.name === 'switch') {
      const chosen = element.children.find(
        ({ attributes }) => !attributes.requiredExtensions && /^$|^en\b|, *en\b/.test(attributes.systemLanguage ?? ''),
      );
      if (chosen !== undefined) this.#element(chosen, place);
      return;
    }
    for (const child of element.children) this.#element(child, place);
  }

  #element(element: XmlElement, outer: Place): void {
    if (outer.uses.length > 0 && ++this.#used > MAX_USED) {
      element.fail('too-large', `<use> draws more than ${MAX_USED} elements`);
    }
    if ((++this.#elements & 1023) === 0) reportProgress(this.#options, 1, 'reading shapes');
    if (element.prefix !== this.#root.prefix || (element.attributes.xmlns ?? SVG_NAMESPACE) !== SVG_NAMESPACE) return;
    if (LEFT_OUT.has(element.name)) this.#warn(`<${element.name}> is not read`);
    const draw = this.#drawerOf(element.name);
    if (draw === null) return;
    const style = this.#sheet.styleOf(element, outer.style);
    if (style === null) return;
    for (const name of ['clip-path', 'mask']) {
      if ((element.attributes[name] ?? 'none') !== 'none') this.#warn(`"${name}" is not applied`);
    }
    if (/(^|;)\s*transform\s*:/.test(element.attributes.style ?? '')) {
      element.fail(
        'unsupported',
        `<${element.name}> has a transform in its style; write it as the attribute "transform"`,
      );
    }
    const own = element.attributes.transform;
    const matrix =
      own === undefined ? outer.matrix : multiply(outer.matrix, parseTransform(own, faultIn(element, 'transform')));
    if (!matrix.every(Number.isFinite)) element.fail('non-finite', `the transforms of <${element.name}> overflow`);
    if (matrix[0] * matrix[3] === matrix[1] * matrix[2]) {
      this.#warn(`<${element.name}> is scaled to nothing and left out`);
      return;
    }
    draw.call(this, element, { ...outer, matrix, style });
  }

  #drawerOf(name: string): ((element: XmlElement, place: Place) => void) | null {
    switch (name) {
      case 'g':
      case 'a':
      case 'switch':
        return this.#children;
      case 'svg':
        return this.#nested;
      case 'use':
        return this.#use;
      case 'path':
      case 'line':
      case 'polyline':
      case 'polygon':
      case 'rect':
      case 'circle':
      case 'ellipse':
        return this.#shape;
      default:
        return null;
    }
  }

  /** A drawing within the drawing, or a symbol that a `use` places. */
  #nested(element: XmlElement, place: Place, user: XmlElement | null = null): void {
    const side = (name: 'width' | 'height', axis: 'x' | 'y'): number => {
      const whole = axis === 'x' ? place.viewport[0] : place.viewport[1];
      const own = lengthOf(element, name, axis, place.viewport, whole)!;
      const value = user === null ? own : lengthOf(user, name, axis, place.viewport, own)!;
      if (value < 0) element.fail('file-format', `the ${name} of <${element.name}> is negative`);
      return value;
    };
    const x = element.name === 'symbol' ? 0 : lengthOf(element, 'x', 'x', place.viewport, 0)!;
    const y = element.name === 'symbol' ? 0 : lengthOf(element, 'y', 'y', place.viewport, 0)!;
    const [width, height] = [side('width', 'x'), side('height', 'y')];
    if (width === 0 || height === 0) return;
    const viewBox = this.#viewBox(element);
    if (viewBox === null) {
      const matrix = multiply(place.matrix, [1, 0, 0, 1, x, y]);
      this.#children(element, { ...place, matrix, viewport: [width, height] });
      return;
    }
    if (Number.isNaN(width + height)) {
      element.fail('unsupported', `<${element.name}> has a viewBox but no size; give it width and height`);
    }
    const ratio = element.attributes.preserveAspectRatio ?? '';
    const placed = viewBoxMatrix(viewBox, [x, y, width, height], ratio, faultIn(element, 'preserveAspectRatio'));
    const matrix = multiply(place.matrix, placed);
    this.#children(element, { ...place, matrix, viewport: [viewBox[2], viewBox[3]] });
  }

  #use(element: XmlElement, place: Place): void {
    const reference = (element.attributes.href ?? element.attributes['xlink:href'] ?? '').trim();
    const target = reference.startsWith('#') ? this.#ids.get(reference.slice(1)) : undefined;
    if (target === undefined) {
      this.#warn(`<use> refers to "${reference.slice(0, 60)}", which is not in the drawing`);
      return;
    }
    if (place.uses.includes(element)) element.fail('file-format', `<use> of "${reference}" contains itself`);
    if (place.uses.length >= MAX_USES) element.fail('too-large', `<use> is nested deeper than ${MAX_USES}`);
    const x = lengthOf(element, 'x', 'x', place.viewport, 0)!;
    const y = lengthOf(element, 'y', 'y', place.viewport, 0)!;
    const inside = {
      ...place,
      matrix: multiply(place.matrix, [1, 0, 0, 1, x, y]),
      uses: [...place.uses, element],
    };
    if (target.name !== 'symbol' && target.name !== 'svg') {
      this.#element(target, inside);
      return;
    }
    const style = this.#sheet.styleOf(target, place.style);
    if (style !== null) this.#nested(target, { ...inside, style }, element);
  }

  #shape(element: XmlElement, place: Place): void {
    const { style } = place;
    if (style.hidden) return;
    if (!style.filled && style.unstroked) {
      this.#warn('A shape has neither fill nor stroke and is left out');
      return;
    }
    const builder = new ShapeBuilder(place.matrix, faultIn(element, '', 'non-finite'));
    if (element.name === 'path') {
      const data = element.attributes.d ?? '';
      if (data.trim() !== 'none') addPathData(builder, data, faultIn(element, 'd'));
    } else {
      addBasicShape(builder, element, place.viewport);
    }
    const subpaths = builder.finish();
    if (subpaths.length === 0) {
      this.#warn(`<${element.name}> without size is left out`);
      return;
    }
    for (const { curves } of subpaths) this.#curves += curves.length;
    if (this.#curves > MAX_CURVES) element.fail('too-large', `the drawing has more than ${MAX_CURVES} curves`);
    const user = place.uses.findLast(({ attributes }) => attributes.id !== undefined);
    this.#shapes.push({
      element: element.name as SvgShape['element'],
      id: user?.attributes.id ?? element.attributes.id ?? null,
      line: element.line,
      filled: style.filled && element.name !== 'line',
      fillRule: style.fillRule,
      subpaths,
    });
  }

  #viewBox(element: XmlElement): readonly number[] | null {
    const text = element.attributes.viewBox;
    if (text === undefined || text.trim() === 'none') return null;
    const fault = faultIn(element, 'viewBox');
    const values = new SvgScanner(text, fault).numbers();
    if (values.length !== 4 || !(values[2] > 0 && values[3] > 0)) {
      fault(`is "${text.slice(0, 40)}"; give x, y and a positive width and height`);
    }
    return values;
  }

  #unit(viewBox: readonly number[] | null, width: number | null, height: number | null): number | null {
    if (viewBox === null) return width === null && height === null ? null : MILLIMETERS_PER_PIXEL;
    const x = width === null ? null : width / viewBox[2];
    const y = height === null ? null : height / viewBox[3];
    if (x === null || y === null) return x === null && y === null ? null : (x ?? y)! * MILLIMETERS_PER_PIXEL;
    const ratio = this.#root.attributes.preserveAspectRatio ?? '';
    const fault = faultIn(this.#root, 'preserveAspectRatio');
    const [sx, , , sy] = viewBoxMatrix(viewBox, [0, 0, width!, height!], ratio, fault);
    return Math.abs(sx - sy) > 1e-9 * sx ? null : sx * MILLIMETERS_PER_PIXEL;
  }

  #warn(text: string): void {
    this.#warnings.set(text, (this.#warnings.get(text) ?? 0) + 1);
  }
}

/** Throws with the element, its id and its line. */
function faultIn(element: XmlElement, attribute: string, code: NearfieldErrorCode = 'file-format') {
  const { id } = element.attributes;
  const name = `<${element.name}${id === undefined ? '' : ` id="${id}"`}>`;
  const what = attribute === '' ? name : `the attribute "${attribute}" of ${name}`;
  return (message: string): never => element.fail(code, `${what} ${message}`);
}
