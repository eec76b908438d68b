// Layouts that TypeScript and a shader must agree on, declared once on the TypeScript side;
// tests/gpu/shader-layout.test.ts reflects the shader and compares.

/** Where the members of a WGSL struct lie, in bytes. */
export interface StructLayout {
  /** Size of the struct in bytes, including padding at its end; for a struct that ends in an array, without that array. */
  readonly size: number;
  readonly offsets: Readonly<Record<string, number>>;
}

/** The structs in buffers and the bindings of one .wgsl file, by their names there, and the sizes of its workgroups. */
export interface ShaderLayout {
  readonly structs: Readonly<Record<string, StructLayout>>;
  readonly bindings: Readonly<Record<string, { readonly group: number; readonly binding: number }>>;
  /** Of each compute entry point. */
  readonly workgroups: Readonly<Record<string, readonly [number, number, number]>>;
}
