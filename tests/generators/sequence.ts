/** A seeded sequence in [0, 1), not the library's own (Marsaglia's xorshift with 32 bits). */
export function sequence(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
