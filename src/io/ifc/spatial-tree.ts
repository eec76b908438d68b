// Who holds whom in an IFC file: storeys hold products, products hold the products they are made of.
import type { IfcLine, WebIfcApi, WebIfcPackage } from './web-ifc.js';

/** Chosen: levels of nesting; a longer chain is a cycle. */
const MAX_DEPTH = 64;

/** What the file says about a product. */
export interface ProductFacts {
  readonly name: string;
  readonly id: string | undefined;
  readonly kind: string;
  readonly storey: string | undefined;
  readonly path: string[];
}

/** The tree of one model. */
export class SpatialTree {
  readonly #ifc: WebIfcPackage;
  readonly #api: WebIfcApi;
  readonly #model: number;
  readonly #holders = new Map<number, number>();

  constructor(ifc: WebIfcPackage, api: WebIfcApi, model: number) {
    this.#ifc = ifc;
    this.#api = api;
    this.#model = model;
    this.#take(ifc.IFCRELAGGREGATES, 'RelatingObject', 'RelatedObjects');
    this.#take(ifc.IFCRELCONTAINEDINSPATIALSTRUCTURE, 'RelatingStructure', 'RelatedElements');
  }

  describe(product: number): ProductFacts {
    const line = this.#api.GetLine(this.#model, product);
    const kind = this.#api.GetNameFromTypeCode(this.#api.GetLineType(this.#model, product));
    const path: string[] = [];
    let storey: string | undefined;
    let holder = this.#holders.get(product);
    for (let depth = 0; holder !== undefined && depth < MAX_DEPTH; depth++) {
      const name = textOf(this.#api.GetLine(this.#model, holder), 'Name');
      if (name !== undefined) path.unshift(name);
      const isStorey = this.#api.GetLineType(this.#model, holder) === this.#ifc.IFCBUILDINGSTOREY;
      if (isStorey) storey ??= name ?? `storey ${holder}`;
      holder = this.#holders.get(holder);
    }
    return { name: textOf(line, 'Name') ?? `${kind} ${product}`, id: textOf(line, 'GlobalId'), kind, storey, path };
  }

  #take(type: number, holderKey: string, heldKey: string): void {
    const relations = this.#api.GetLineIDsWithType(this.#model, type);
    for (let i = 0; i < relations.size(); i++) {
      const relation = this.#api.GetLine(this.#model, relations.get(i));
      const holder = numberOf(relation[holderKey]);
      const held = relation[heldKey];
      if (holder === null || !Array.isArray(held)) continue;
      for (const reference of held) {
        const id = numberOf(reference);
        if (id !== null) this.#holders.set(id, holder);
      }
    }
  }
}

/** A text attribute; undefined for an empty one. */
function textOf(line: IfcLine, key: string): string | undefined {
  const value = (line[key] as { readonly value?: unknown } | null | undefined)?.value;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The number of the entity that a reference names. */
function numberOf(reference: unknown): number | null {
  const value = (reference as { readonly value?: unknown } | null | undefined)?.value;
  return typeof value === 'number' ? value : null;
}
