// Reads what WGSL says about buffers: the offsets of struct members (WGSL, section "Memory Layout"), the bindings, and
// the sizes of workgroups. Independent of the library's TypeScript.

export interface ReflectedStruct {
  readonly size: number;
  readonly offsets: Readonly<Record<string, number>>;
}

export interface ReflectedShader {
  /** Structs that lie in bound buffers. */
  readonly structs: Readonly<Record<string, ReflectedStruct>>;
  readonly bindings: Readonly<Record<string, { readonly group: number; readonly binding: number }>>;
  readonly workgroups: Readonly<Record<string, readonly [number, number, number]>>;
}

interface Extent {
  readonly size: number;
  readonly align: number;
}

const roundUp = (align: number, value: number) => Math.ceil(value / align) * align;

/** Splits at commas that are not inside brackets. */
function splitList(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const letter of text) {
    if (letter === '<' || letter === '(') depth++;
    if (letter === '>' || letter === ')') depth--;
    if (letter === ',' && depth === 0) {
      parts.push(part);
      part = '';
    } else {
      part += letter;
    }
  }
  return [...parts, part].map((entry) => entry.trim()).filter((entry) => entry !== '');
}

/** Reflects a shader's text. */
export function reflectShader(code: string): ReflectedShader {
  const text = code.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/\/\/[^\n]*/g, ' ');
  const constants = new Map<string, number>();
  for (const [, name, value] of text.matchAll(/\b(?:const|override)\s+(\w+)\s*(?::\s*\w+\s*)?=\s*(\d+)[ui]?\s*;/g)) {
    constants.set(name, Number(value));
  }
  const bodies = new Map<string, string>();
  for (const [, name, body] of text.matchAll(/\bstruct\s+(\w+)\s*\{([^}]*)\}/g)) bodies.set(name, body);
  const reached = new Map<string, ReflectedStruct>();

  function structOf(name: string): Extent {
    const offsets: Record<string, number> = {};
    let end = 0;
    let align = 1;
    for (const member of splitList(bodies.get(name)!)) {
      const match = /^((?:@\w+(?:\([^)]*\))?\s*)*)(\w+)\s*:\s*(.+)$/s.exec(member);
      if (match === null) throw new Error(`Cannot read the member "${member}" of ${name}.`);
      const extent = extentOf(match[3]);
      const asked = (attribute: string) => {
        const found = new RegExp(`@${attribute}\\((\\w+)\\)`).exec(match[1]);
        return found === null ? undefined : numberOf(found[1]);
      };
      const memberAlign = asked('align') ?? extent.align;
      offsets[match[2]] = roundUp(memberAlign, end);
      end = offsets[match[2]] + (asked('size') ?? extent.size);
      align = Math.max(align, memberAlign);
    }
    const size = roundUp(align, end);
    reached.set(name, { size, offsets });
    return { size, align };
  }

  function numberOf(text: string): number {
    const value = constants.get(text.trim()) ?? Number.parseInt(text, 10);
    if (Number.isNaN(value)) throw new Error(`Cannot read the number "${text}".`);
    return value;
  }

  function extentOf(type: string): Extent {
    const name = type.replace(/\s+/g, '');
    const scalar = (suffix: string) => (suffix === 'h' || suffix === 'f16' ? 2 : 4);
    if (/^([ui]32|f32|f16)$/.test(name)) return { size: scalar(name), align: scalar(name) };
    const atomic = /^atomic<(\w+)>$/.exec(name);
    if (atomic !== null) return extentOf(atomic[1]);
    const vector = /^vec([234])(?:<(\w+)>|([uifh]))$/.exec(name);
    if (vector !== null) return vectorOf(Number(vector[1]), scalar(vector[2] ?? vector[3]));
    const matrix = /^mat([234])x([234])(?:<(\w+)>|([fh]))$/.exec(name);
    if (matrix !== null) {
      const column = vectorOf(Number(matrix[2]), scalar(matrix[3] ?? matrix[4]));
      return { size: Number(matrix[1]) * roundUp(column.align, column.size), align: column.align };
    }
    const array = /^array<(.+)>$/.exec(name);
    if (array !== null) {
      const [element, count] = splitList(array[1]);
      const { size, align } = extentOf(element);
      // An array without a length adds nothing to the struct that it ends.
      return { size: roundUp(align, size) * (count === undefined ? 0 : numberOf(count)), align };
    }
    if (bodies.has(name)) return structOf(name);
    throw new Error(`Cannot read the type "${type}".`);
  }

  const bindings: Record<string, { group: number; binding: number }> = {};
  const declaration = /((?:@(?:group|binding)\(\w+\)\s*){2})var\s*(<[^>]*>)?\s*(\w+)\s*:\s*([^;]+);/g;
  for (const [, attributes, space, name, type] of text.matchAll(declaration)) {
    const at = (attribute: string) => numberOf(new RegExp(`@${attribute}\\((\\w+)\\)`).exec(attributes)![1]);
    bindings[name] = { group: at('group'), binding: at('binding') };
    // Textures and samplers have no address space and no layout.
    if (space !== undefined) extentOf(type);
  }
  const workgroups: Record<string, [number, number, number]> = {};
  const entry = /@workgroup_size\(([^)]*)\)\s*(?:@\w+(?:\([^)]*\))?\s*)*fn\s+(\w+)/g;
  for (const [, sizes, name] of text.matchAll(entry)) {
    const [x, y = 1, z = 1] = splitList(sizes).map(numberOf);
    workgroups[name] = [x, y, z];
  }
  return { structs: Object.fromEntries(reached), bindings, workgroups };
}

/** Three components align as four. */
function vectorOf(components: number, scalarSize: number): Extent {
  return { size: components * scalarSize, align: (components === 3 ? 4 : components) * scalarSize };
}
