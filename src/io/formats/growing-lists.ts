// Vertices and triangles of a mesh whose size the file does not announce, in typed arrays that double when full.

export class PositionList {
  #values: Float64Array;
  #length = 0;

  constructor(vertexCapacity = 1024) {
    this.#values = new Float64Array(3 * Math.max(1, vertexCapacity));
  }

  get count(): number {
    return this.#length / 3;
  }

  push(x: number, y: number, z: number): void {
    if (this.#length + 3 > this.#values.length) {
      const grown = new Float64Array(2 * this.#values.length);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length] = x;
    this.#values[this.#length + 1] = y;
    this.#values[this.#length + 2] = z;
    this.#length += 3;
  }

  /** The coordinate at `index`; three per vertex. */
  at(index: number): number {
    return this.#values[index];
  }

  toArray(): Float64Array {
    return this.#values.length === this.#length ? this.#values : this.#values.slice(0, this.#length);
  }
}

export class TriangleList {
  #ids: Uint32Array;
  #length = 0;

  constructor(triangleCapacity = 1024) {
    this.#ids = new Uint32Array(3 * Math.max(1, triangleCapacity));
  }

  get count(): number {
    return this.#length / 3;
  }

  push(a: number, b: number, c: number): void {
    if (this.#length + 3 > this.#ids.length) {
      const grown = new Uint32Array(2 * this.#ids.length);
      grown.set(this.#ids);
      this.#ids = grown;
    }
    this.#ids[this.#length] = a;
    this.#ids[this.#length + 1] = b;
    this.#ids[this.#length + 2] = c;
    this.#length += 3;
  }

  toArray(): Uint32Array {
    return this.#ids.length === this.#length ? this.#ids : this.#ids.slice(0, this.#length);
  }
}
