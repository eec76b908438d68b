/** The nearest of 1, 2 and 5 times a power of ten. */
export function roundStep(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  const lead = length / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}
