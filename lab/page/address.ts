// The address of a scene and its state: `#/meshes/models?model=torus&view=35,22,2`.

export interface Address {
  /** `meshes/models`; empty for the gallery. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export function readAddress(hash = location.hash): Address {
  const [path, query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  return { path, query: new URLSearchParams(query) };
}

export function writeAddress({ path, query }: Address): string {
  // Commas are legal in a fragment and read better unescaped.
  const text = query.toString().replaceAll('%2C', ',');
  return `#/${path}${text === '' ? '' : `?${text}`}`;
}
